# SPDX-License-Identifier: Apache-2.0
"""Cypher text of the tasks: what a reasoner may see (context), what it is scored against (gold).

A context query reads exactly the inputs that the paper defines for the task, in its `oracle`
form from gold claims, in its `pipeline` form from the claims of an earlier run (`$<name>_run`).
It never reads the property that holds the answer; tests randomise every other gold claim of the
split and demand the same rows.

Context rows have `item` and the fields of the task's input type; gold rows have `item`,
`answer`, `cluster` (the story or goal that items share) and breakdown columns. Both take `$split`
and are ordered by item.
"""

from __future__ import annotations

from typing import Literal

Setting = Literal["oracle", "pipeline"]

# --- POQue -------------------------------------------------------------------------------------

_EVENT = "MATCH (u:ComplexEvent {split: $split})"
_STORY = " MATCH (u)-[:OF_STORY]->(s:Story)"
_SENTENCES = (
    " MATCH (s)-[:HAS_SENTENCE]->(x:Sentence)"
    " WITH {keep}, s, x ORDER BY x.index"
    " WITH {keep}, s, collect(x.text) AS sentences"
)
_SENTENCE_IDS = (
    " MATCH (s)-[:HAS_SENTENCE]->(x:Sentence)"
    " WITH {keep}, s, x ORDER BY x.index"
    " WITH {keep}, s, collect(x.id) AS sentences"
)
_PARTICIPANT = " MATCH (u)-[:HAS_PARTICIPANT]->(p:Participant)"


def _claim(name: str, label: str, setting: Setting) -> str:
    if setting == "oracle":
        return f" MATCH ({name}:{label} {{source: 'gold'}})-[:ABOUT]->(u)"
    return f" MATCH (:Run {{id: ${name}_run}})-[:PRODUCED]->({name}:{label})-[:ABOUT]->(u)"


def _poque(
    *, claims: tuple[tuple[str, str], ...], story: bool, participant: bool, setting: Setting
) -> str:
    kept = ["u"]
    text = _EVENT
    for name, label in claims:
        text += _claim(name, label, setting)
        kept.append(name)
    if participant:
        text += _PARTICIPANT
        kept.append("p")
    columns = ["u.key AS item"]
    if story:
        text += _STORY + _SENTENCES.format(keep=", ".join(kept))
        columns += ["s.text AS story", "sentences"]
    if participant:
        columns += ["p.name AS participant", "u.role AS role"]
    columns += [
        f"{name}.texts AS {name}" if label == "FactorSet" else f"{name}.text AS {name}"
        for name, label in claims
    ]
    return f"{text} RETURN {', '.join(columns)} ORDER BY item"


_ENDPOINT = (("endpoint", "Endpoint"),)
_FACTORS = (("factors", "FactorSet"),)
_CHANGE = (("change", "Change"),)


def process_summary_from_story(setting: Setting) -> str:
    """Story and participant (POQue 5.1; the participant is what the baseline `About P` names)."""
    return _poque(claims=(), story=True, participant=True, setting=setting)


def from_factors(setting: Setting) -> str:
    """Factors alone (POQue 5.1 and 5.2)."""
    return _poque(claims=_FACTORS, story=False, participant=False, setting=setting)


def endpoint_from_story(setting: Setting) -> str:
    """Story alone (POQue 5.2)."""
    return _poque(claims=(), story=True, participant=False, setting=setting)


def factors(setting: Setting) -> str:
    """Story and endpoint (POQue 5.2)."""
    return _poque(claims=_ENDPOINT, story=True, participant=False, setting=setting)


def with_endpoint(setting: Setting) -> str:
    """Story, endpoint, participant and role (POQue 5.3, 5.4, 5.5)."""
    return _poque(claims=_ENDPOINT, story=True, participant=True, setting=setting)


def with_change(setting: Setting) -> str:
    """Story, participant, role and change summary (POQue 6.7)."""
    return _poque(claims=_CHANGE, story=True, participant=True, setting=setting)


def poque_gold(label: str, answer: str) -> str:
    """Gold of a POQue task: `answer` is the property that holds it."""
    return (
        f"{_EVENT}-[:OF_STORY]->(s:Story) "
        f"MATCH (g:{label} {{source: 'gold'}})-[:ABOUT]->(u) "
        f"MATCH (u)-[:HAS_PARTICIPANT]->(p:Participant) "
        f"RETURN u.key AS item, g.{answer} AS answer, s.key AS cluster, u.role AS role, "
        "s.origin AS source, s.text AS story, p.name AS participant ORDER BY item"
    )


# --- PASTA -------------------------------------------------------------------------------------

_CONTRAST = "MATCH (u:Contrast {split: $split})<-[:ABOUT]-"


def state_inference(*, marked: bool) -> str:
    """Story, query state and, if marked, the supporting sentences' positions (PASTA 4.1)."""
    support = (
        " OPTIONAL MATCH (g)-[:EVIDENCED_BY]->(e:Sentence)"
        " WITH g, q, s, sentences, e ORDER BY e.index"
        " WITH g, q, s, sentences, collect(e.index) AS supporting"
        if marked
        else ""
    )
    column = ", supporting" if marked else ""
    return (
        f"{_CONTRAST}(g:Inference {{source: 'gold'}})-[:OF_STATE]->(q:Claim) "
        "MATCH (g)-[:IN_STORY]->(s:Story)"
        f"{_SENTENCES.format(keep='g, q')}{support} "
        f"RETURN g.item AS item, s.text AS story, sentences, q.text AS state{column} ORDER BY item"
    )


STATE_INFERENCE_GOLD = (
    f"{_CONTRAST}(g:Inference {{source: 'gold'}}) MATCH (u)-[:OF_STORY]->(s:Story) "
    "RETURN g.item AS item, g.holds AS answer, s.key AS cluster ORDER BY item"
)

STORY_REVISION = (
    f"{_CONTRAST}(g:Revision {{source: 'gold'}})-[:OF_STATE]->(q:Claim) "
    "MATCH (g)-[:OF_STORY]->(s:Story)"
    f"{_SENTENCES.format(keep='g, q')} "
    "RETURN g.item AS item, s.text AS story, sentences, q.text AS state ORDER BY item"
)
STORY_REVISION_GOLD = (
    f"{_CONTRAST}(g:Revision {{source: 'gold'}})-[:OF_STORY]->(s:Story) "
    "MATCH (u)-[:OF_STORY]->(base:Story)"
    f"{_SENTENCES.format(keep='g, base')} "
    "RETURN g.item AS item, g.sentences AS answer, base.key AS cluster, sentences ORDER BY item"
)

STATE_CHANGE = (
    f"{_CONTRAST}(g:StateChange {{source: 'gold'}})-[:FROM_STORY]->(s:Story)"
    f"{_SENTENCES.format(keep='g')}"
    " MATCH (g)-[:TO_STORY]->(r:Story) MATCH (r)-[:HAS_SENTENCE]->(y:Sentence)"
    " WITH g, s, sentences, r, y ORDER BY y.index"
    " WITH g, s, sentences, r, collect(y.text) AS revised_sentences "
    "RETURN g.item AS item, s.text AS story, sentences, r.text AS revised, revised_sentences "
    "ORDER BY item"
)
STATE_CHANGE_GOLD = (
    f"{_CONTRAST}(g:StateChange {{source: 'gold'}}) MATCH (u)-[:OF_STORY]->(s:Story) "
    "RETURN g.item AS item, g.states AS answer, s.key AS cluster ORDER BY item"
)

# --- Choice-75 ---------------------------------------------------------------------------------

_SCENARIO = "MATCH (u:Scenario {split: $split})-[:AT_BRANCH]->(b:Branch)"

DECISION = (
    f"{_SCENARIO} MATCH (b)-[:OF_GOAL]->(goal:Goal)"
    " MATCH (b)-[:HAS_OPTION {number: 1}]->(o1:Option)"
    " MATCH (b)-[:HAS_OPTION {number: 2}]->(o2:Option)"
    " MATCH (goal)-[:HAS_STEP]->(step:Step)"
    " WITH u, b, goal, o1, o2, step ORDER BY step.index"
    " WITH u, b, goal, o1, o2, collect(step.text) AS steps "
    "RETURN u.key AS item, b.text AS goal, o1.text AS option_1, o2.text AS option_2, "
    "u.text AS scenario, goal.text AS script_goal, steps ORDER BY item"
)
DECISION_GOLD = (
    f"{_SCENARIO} MATCH (g:Decision {{source: 'gold'}})-[:ABOUT]->(u) "
    "MATCH (b)-[:OF_GOAL]->(goal:Goal) "
    "RETURN u.key AS item, g.choice AS answer, goal.key AS cluster, b.format AS format, "
    "g.level AS level ORDER BY item"
)

# --- where conclusions are attached: rows of `item`, `unit` (the unit's id) and other ends -----

POQUE_ENDS = (
    f"{_EVENT}{_STORY}{_SENTENCE_IDS.format(keep='u')} "
    "RETURN u.key AS item, u.id AS unit, sentences ORDER BY item"
)
STATE_INFERENCE_ENDS = (
    f"{_CONTRAST}(g:Inference {{source: 'gold'}})-[:OF_STATE]->(q:Claim) "
    "MATCH (g)-[:IN_STORY]->(s:Story)"
    f"{_SENTENCE_IDS.format(keep='u, g, q')} "
    "RETURN g.item AS item, u.id AS unit, q.id AS state, labels(q) AS state_labels, "
    "s.id AS story, sentences ORDER BY item"
)
STORY_REVISION_ENDS = (
    f"{_CONTRAST}(g:Revision {{source: 'gold'}})-[:OF_STATE]->(q:Claim) "
    "MATCH (g)-[:OF_STORY]->(s:Story)"
    f"{_SENTENCE_IDS.format(keep='u, g, q')} "
    "RETURN g.item AS item, u.id AS unit, q.id AS state, labels(q) AS state_labels, "
    "s.id AS story, sentences ORDER BY item"
)
STATE_CHANGE_ENDS = (
    f"{_CONTRAST}(g:StateChange {{source: 'gold'}})-[:FROM_STORY]->(s:Story) "
    "MATCH (g)-[:TO_STORY]->(r:Story)"
    f"{_SENTENCE_IDS.format(keep='u, g, r')} "
    "RETURN g.item AS item, u.id AS unit, s.id AS story, r.id AS revised, sentences ORDER BY item"
)
DECISION_ENDS = (
    f"{_SCENARIO}"
    " MATCH (b)-[:HAS_OPTION {number: 1}]->(o1:Option)"
    " MATCH (b)-[:HAS_OPTION {number: 2}]->(o2:Option) "
    "RETURN u.key AS item, u.id AS unit, o1.id AS option_1, o2.id AS option_2 ORDER BY item"
)

# --- claims and runs ---------------------------------------------------------------------------


def predicted(label: str, answer: str) -> str:
    """What a run concluded: rows of `item` and `answer`."""
    return (
        f"MATCH (:Run {{id: $run}})-[:PRODUCED]->(c:{label}) "
        f"RETURN c.item AS item, c.{answer} AS answer, c.confidence AS confidence ORDER BY item"
    )
