# SPDX-License-Identifier: Apache-2.0
"""All formats, by the names that users write."""

from __future__ import annotations

from graph.formats.base import Format
from graph.registry import Registry

FORMATS: Registry[Format] = Registry("format")
"""Format name -> format."""

FORMATS.register("graphml", "graph.formats.graphml:GRAPHML")

FORMATS.register("turtle", "graph.formats.rdf.documents:TURTLE")
FORMATS.register("trig", "graph.formats.rdf.documents:TRIG")
FORMATS.register("jsonld", "graph.formats.rdf.documents:JSONLD")
FORMATS.register("ntriples", "graph.formats.rdf.lines:NTRIPLES")
FORMATS.register("nquads", "graph.formats.rdf.lines:NQUADS")
FORMATS.register("owl", "graph.formats.rdf.ontology:OWL")
FORMATS.register("shacl", "graph.formats.rdf.shapes:SHACL")
FORMATS.register("csv", "graph.formats.csv:CSV_FOLDER")
FORMATS.register("cypher", "graph.formats.cypher:CYPHER")
FORMATS.register("parquet", "graph.formats.parquet:PARQUET")
FORMATS.register("conll", "graph.formats.conll:CONLL")
FORMATS.register("booknlp", "graph.formats.booknlp:BOOKNLP")
