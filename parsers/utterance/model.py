"""What the utterance parser gives: the words that were said, or why there are none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from parsers.dialogue.model import Span

REMOVED_KINDS: Mapping[str, str] = MappingProxyType(
    {
        "thinking": "A block of thoughts.",
        "token": "Control tokens, invisible characters, line ends of another kind.",
        "label": "The speaker's own label, or a heading before it.",
        "heard_turn": "The other's last turn, said again before the answer.",
        "preamble": "An announcement: “Sure! Here is my question:”.",
        "narration": "A narrator's words: “The person asks:”.",
        "stage_direction": "“*nods*”, “(thinking)”, “[pauses]”.",
        "quotes": "Quotation marks around the whole.",
        "emphasis": "Markdown emphasis around the whole.",
        "fence": "A code fence around the whole.",
        "json": "An object with one text in it.",
        "number": "A bullet or number before a single question.",
        "rule": "A line that only separates.",
        "note": "A closing remark about the utterance or an offer of help.",
        "other_turn": "The other's turn, and all that came after it.",
        "further_turn": "A second turn of the speaker, and all that came after it.",
        "new_dialogue": "The beginning of another dialogue, and all that came after it.",
    }
)
"""Every word that `Utterance.removed` may hold, and what was taken away."""

UTTERANCE_CODES: Mapping[str, str] = MappingProxyType(
    {
        "empty": "No word is left once everything around the utterance is gone.",
        "only_thinking": "The model thought, and said nothing.",
        "truncated": "The utterance reached the token limit, or stops where none can end.",
        "role_flip": "The model speaks as the other one.",
        "refusal": "The model declines to take part.",
        "garbled_text": "Characters were lost, or the text is nothing but layers of marks.",
        "placeholder_text": "A slot of a template was left unfilled.",
        "prompt_echo": "The model repeats its instruction.",
    }
)
"""Every code of an `UtteranceFault`."""


@dataclass(frozen=True, slots=True)
class Utterance:
    """What one speaker said, without anything around it.

    `span` is where `text` stands in the raw output, in code points, end exclusive; None when
    something was taken out of its middle (a thought, line ends of another kind, an escape).
    `removed` names what was taken away, in the order in which it was found, each kind once:
    words of `REMOVED_KINDS`. The wording itself stands in the raw output, around `span`.
    """

    text: str
    span: Span | None = None
    removed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class UtteranceFault:
    """Why an output is no utterance: a code of `UTTERANCE_CODES`, a sentence, and the place."""

    code: str
    detail: str
    span: Span | None = None
