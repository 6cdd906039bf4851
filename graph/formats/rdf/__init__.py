# SPDX-License-Identifier: Apache-2.0
"""The graph as RDF: a vocabulary, shapes that check it, and five formats that hold all of it.

| module | what it holds |
|---|---|
| `vocabulary` | IRIs of labels, properties, edges and nodes; what they mean in PROV-O, SEM, OA |
| `statements` | nodes and edges as RDF statements, and statements as nodes and edges again |
| `syntax` | how statements are written: N-Triples and N-Quads, Turtle and TriG, JSON-LD |
| `lines` | N-Triples and N-Quads: streams, no extra needed |
| `documents` | Turtle, TriG and JSON-LD: written a few stories at a time, read with rdflib |
| `ontology`, `shapes` | the vocabulary as OWL and as SHACL, both made from `graph.model` |
| `validation` | a graph against the shapes, with pyshacl |
"""
