"""From the raw output of one turn to the utterance: the order in which everything happens."""

from __future__ import annotations

from parsers.dialogue.labels import LabelReader
from parsers.dialogue.lines import Candidate
from parsers.dialogue.model import Span, Speaker
from parsers.dialogue.normalise import unify_lines
from parsers.dialogue.offsets import MappedText, cut
from parsers.dialogue.prompt_echo import is_prompt_echo
from parsers.dialogue.textual import is_garbled, is_only_dots, unfilled_slot
from parsers.dialogue.thinking import strip_thinking
from parsers.dialogue.vocabulary import DEFAULT_VOCABULARY, Vocabulary

from .cutting import find_next_turn
from .declining import declines
from .frame import is_only_a_cue, narrow, unwrap
from .labelled import labelled_lines
from .model import Utterance, UtteranceFault
from .openings import offers_help, read_opening
from .turn_tokens import one_turn

_MOST_LAYERS = 24
"""Labels, quotes and the like around one utterance; more of them are noise."""

_CUTS = frozenset({"other_turn", "further_turn", "new_dialogue", "note"})
_OPEN_END = (",", "，", "、", ":", "：", "(", "（", "[", "“", "「")


def parse_utterance(
    raw: str,
    speaker: Speaker,
    *,
    vocabulary: Vocabulary = DEFAULT_VOCABULARY,
    finish_reason: str | None = None,
    heard: str | None = None,
) -> Utterance | UtteranceFault:
    """The one utterance of `speaker` that the raw output of a model holds, or why there is none.

    Taken away is what surrounds it: thoughts, control tokens, the speaker's own label, an
    announcement, a narrator, stage directions, quotation marks, emphasis and fences around the
    whole, closing notes; and everything from the other's label on, when the model wrote both
    sides. Lines, lists and colons of an answer stay.

    `vocabulary` holds the label words. `finish_reason` is the server's word for why the output
    ended: "length" makes the utterance truncated, unless something was cut off behind it, for
    then it was complete. `heard` is what the other said last; an answer that begins with it under
    the other's label is read without it. An answer saying that the text does not hold the answer
    is an utterance. Never raises; time is linear in the length of `raw`.
    """
    removed: list[str] = []
    thoughts = strip_thinking(raw)
    text = MappedText(raw)
    if thoughts.removed:
        removed.append("thinking")
        text = cut(text, thoughts.removed)
    text_as_written = text
    lines = unify_lines(text_as_written)
    text, kinds = one_turn(lines)
    removed.extend(kinds)
    if not text.text.strip():
        return _nothing(thoughts.unclosed, bool(thoughts.removed), finish_reason)
    if thoughts.unclosed is not None:
        return UtteranceFault("truncated", "a thinking block never ends", thoughts.unclosed)
    found = _peel(text.text, speaker, vocabulary, heard, removed)
    if isinstance(found, UtteranceFault):
        place = None if found.span is None else text.raw_span(*found.span)
        return UtteranceFault(found.code, found.detail, place)
    start, end = found
    place = text.raw_span(start, end)
    said = text.text[start:end]
    fault = _fault(said, speaker, finish_reason, complete=not _CUTS.isdisjoint(removed))
    if fault is not None:
        return UtteranceFault(*fault, place)
    verbatim = raw[slice(*place)] == said
    if not verbatim and lines is not text_as_written:
        removed.append("token")
    return Utterance(said, place if verbatim else None, tuple(dict.fromkeys(removed)))


def _nothing(unclosed: Span | None, thought: bool, finish_reason: str | None) -> UtteranceFault:
    if unclosed is not None or (thought and finish_reason == "length"):
        return UtteranceFault("only_thinking", "the thoughts came to no end", unclosed)
    if thought:
        return UtteranceFault("only_thinking", "nothing follows the thoughts")
    return UtteranceFault("empty", "nothing but white space or control tokens")


def _peel(
    text: str, speaker: Speaker, vocabulary: Vocabulary, heard: str | None, removed: list[str]
) -> Span | UtteranceFault:
    """Narrow the text layer by layer until nothing around it is left; `removed` is added to."""
    reader = LabelReader(vocabulary)
    opened: Candidate | None = None
    start, end = _trim(text, 0, len(text))
    for _ in range(_MOST_LAYERS):
        body = text[start:end]
        if not body or is_only_a_cue(body):
            return UtteranceFault("empty", "there is nothing that is said", (start, end))
        wrapped = unwrap(text, start, end)
        if wrapped is not None:
            removed.append(wrapped[2])
            start, end = _trim(text, wrapped[0], wrapped[1])
            continue
        labels = labelled_lines(body, reader)
        opening = read_opening(body, speaker, labels, heard)
        if opening is not None:
            if opening.flip is not None:
                return UtteranceFault("role_flip", opening.flip, (start, end))
            removed.append(opening.kind)
            opened = opening.found or opened
            start, end = _after_label(text, start, end, opening.end, opening.found)
            continue
        cut_off = find_next_turn(body, speaker, labels, reader, opened)
        if cut_off is not None:
            removed.append(cut_off[1])
            start, end = _trim(text, start, start + cut_off[0])
            continue
        narrowed = narrow(text, start, end, speaker)
        if narrowed is None:
            return start, end
        removed.append(narrowed[2])
        start, end = _trim(text, narrowed[0], narrowed[1])
    return UtteranceFault("garbled_text", "labels and marks without end", (start, end))


def _after_label(text: str, start: int, end: int, skipped: int, found: Candidate | None) -> Span:
    """Step over a label, and drop what closes the marks that opened before it."""
    first, last = _trim(text, start + skipped, end)
    if found is None or first >= last:
        return first, last
    for sign in ("*", "_", '"', "`"):
        if sign in found.decor and text[last - 1] == sign and text.count(sign, first, last) % 2:
            return _trim(text, first, last - 1)
    lone = text.endswith("**", first, last) and text.count("**", first, last) == 1
    if lone and "**" in found.decor:
        return _trim(text, first, last - 2)
    return first, last


def _trim(text: str, start: int, end: int) -> Span:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end


def _fault(
    said: str, speaker: Speaker, finish_reason: str | None, *, complete: bool
) -> tuple[str, str] | None:
    """What speaks against the words themselves: code and detail."""
    if is_only_dots(said) or (said.isascii() and not any(map(str.isalnum, said))):
        return "empty", "there is no word in it"
    if is_garbled(said):
        return "garbled_text", "characters were lost"
    slot = unfilled_slot(said)
    if slot:
        return "placeholder_text", f"the slot {slot!r} was not filled"
    if is_prompt_echo(said):
        return "prompt_echo", "it repeats an instruction"
    if declines(said, speaker):
        return "refusal", "the model declines to take part"
    if speaker == "person" and offers_help(said):
        return "role_flip", "it offers answers instead of asking"
    if finish_reason == "length" and not complete:
        return "truncated", "it reached the token limit (finish_reason length)"
    if said.endswith(_OPEN_END):
        return "truncated", f"it stops after {said[-1]!r}"
    return None
