"""From raw model output to a dialogue or a rejection: the order in which everything happens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from .checks import SUMMARY, find_fault
from .ending import ends_in_doubt, is_closed
from .json_form import read_json
from .labels import SPEAKING, LabelReader
from .model import Dialogue, Rejection, Span
from .normalise import resolve_entities, resolve_escapes, resolve_tokens, unify_lines
from .offsets import MappedText, cut
from .one_line import read_one_line_turns
from .outcome import dialogue_of, placeless, without_thanks
from .plain import peel_label, read_plain
from .plain_layout import lay_out_plain
from .prompt_echo import is_prompt_echo
from .record_form import read_records
from .refusal import is_refusal
from .relaxed_json import read_value
from .roles import Layout, lay_out
from .speakers import settle_letters, speaker_keys
from .table_form import read_table
from .thinking import may_hold_thoughts, strip_thinking
from .utterance import Reading, Utterance
from .vocabulary import DEFAULT_VOCABULARY, Vocabulary
from .xml_form import read_xml, resolve_html, strip_wrappers

_DEEPEST_STRING = 3


def parse_dialogue(
    raw: str,
    *,
    vocabulary: Vocabulary = DEFAULT_VOCABULARY,
    finish_reason: str | None = None,
    min_pairs: int = 2,
) -> Dialogue | Rejection:
    """Read the raw text of a model as a summary and turns, or say why and where it is none.

    `vocabulary` holds the label words. `finish_reason` is the server's word for why the output
    ended: with "length" a doubtful end counts as truncated, with "stop" a missing full stop is
    forgiven. `min_pairs` is the least number of question and answer pairs. Whatever cannot be
    known is rejected; no speaker is guessed. Spans count code points of `raw`. Never raises;
    time is linear in the length of `raw`.
    """
    text = MappedText(raw)
    if may_hold_thoughts(raw):
        thoughts = strip_thinking(raw)
        if thoughts.unclosed is not None:
            return Rejection("truncated", "a thinking block never ends", thoughts.unclosed)
        text = cut(text, thoughts.removed)
    text = unify_lines(text)
    if not text.text or text.text.isspace():
        return Rejection("empty", "nothing but white space or thoughts")
    return _Parse(vocabulary, finish_reason, min_pairs).of(text, 0)


class _Parse:
    """One parse: the settings, and the way from text to verdict."""

    def __init__(self, vocabulary: Vocabulary, finish_reason: str | None, min_pairs: int) -> None:
        self.vocabulary = vocabulary
        self.finish_reason = finish_reason
        self.min_pairs = min_pairs

    def of(self, text: MappedText, depth: int) -> Dialogue | Rejection:
        reader = LabelReader(self.vocabulary)
        if _has_markup(text.text):
            return self._of_marked(text, reader, depth)
        return self._of_lines(text, reader)

    def _of_marked(self, text: MappedText, reader: LabelReader, depth: int) -> Dialogue | Rejection:
        reading = read_json(text.text, reader)
        if reading is not None and reading.fault == "plain":
            inner = self._decoded(reading.utterances[0].text, depth)
            if inner is not None:
                return inner
        if (reading is not None and reading.fault in {None, "multiple_dialogues"}) or (
            reading is not None and not self._has_lines(text.text, reader)
        ):
            return self._judge(text, reading, structured=True)
        if text.text.lstrip()[:1] == '"' and (unquoted := _whole_string(text.text)) is not None:
            inner = self._decoded(unquoted, depth)
            if inner is not None:
                return inner
        text = resolve_tokens(resolve_escapes(text))
        if "&lt;" in text.text and "</" not in text.text:
            text = resolve_entities(text)
        reading = read_xml(text.text, reader)
        if reading is not None:
            return self._judge(text, reading, structured=True)
        return self._of_lines(resolve_html(strip_wrappers(text, reader)), reader)

    def _of_lines(self, text: MappedText, reader: LabelReader) -> Dialogue | Rejection:
        for read in (read_table, read_records):
            reading = read(text.text, reader)
            if reading is not None:
                return self._judge(text, reading, structured=True)
        reading = read_one_line_turns(text.text, reader) or read_plain(text.text, reader)
        if reading is None:
            return self._nothing(text)
        return self._judge(text, reading, structured=False)

    def _decoded(self, inner: str, depth: int) -> Dialogue | Rejection | None:
        """Parse a text that was a string in the raw one: its places are unknown."""
        if depth >= _DEEPEST_STRING:
            return None
        result = self.of(unify_lines(MappedText(inner)), depth + 1)
        if isinstance(result, Rejection):
            partial = placeless(result.partial) if result.partial else None
            return Rejection(result.code, result.detail, None, partial)
        return placeless(result)

    def _has_lines(self, text: str, reader: LabelReader) -> bool:
        reading = read_plain(text, reader)
        return (
            reading is not None
            and sum(
                1
                for one in reading.utterances
                if one.label is not None and one.label.kind in SPEAKING
            )
            > 1
        )

    def _judge(
        self, text: MappedText, reading: Reading, *, structured: bool
    ) -> Dialogue | Rejection:
        utterances = list(reading.utterances)
        if structured and not reading.exact:
            reader = LabelReader(self.vocabulary)
            utterances = [peel_label(one, reader) for one in _settled(utterances)]
        layout = lay_out_plain(utterances) or lay_out(utterances, _keys_of(utterances))
        if not reading.exact:
            layout = without_thanks(layout)
        dialogue = dialogue_of(text, layout)
        partial = dialogue if dialogue.summary or dialogue.turns else None
        if reading.fault is not None:
            place = text.raw_span(*reading.place) if reading.place else None
            code, detail = reading.fault, reading.detail
            if structured and code == "not_a_dialogue" and is_refusal(text.text):
                code = "refusal"
            return Rejection(code, detail, place, partial)
        if layout.fault is not None:
            return Rejection(layout.fault, layout.detail, self._place(text, layout, 0), partial)
        if not dialogue.turns and structured and not dialogue.summary:
            return self._nothing(text)
        if not dialogue.turns:
            return self._no_turns(text, dialogue, reading)
        if (cut_off := self._cut_off(text, layout, dialogue, reading)) is not None:
            return cut_off
        fault = find_fault(dialogue, min_pairs=self.min_pairs)
        if fault is None:
            return dialogue
        place = None if fault.turn is None else self._place(text, layout, fault.turn)
        return Rejection(fault.code, fault.detail, place, partial)

    def _place(self, text: MappedText, layout: Layout, turn: int) -> Span | None:
        if turn == SUMMARY:
            at = layout.summary_span or layout.summary_at
        elif turn < len(layout.turns):
            at = layout.turns[turn].at or layout.turns[turn].span
        else:
            at = None
        return text.raw_span(*at) if at else None

    def _cut_off(
        self, text: MappedText, layout: Layout, dialogue: Dialogue, reading: Reading
    ) -> Rejection | None:
        if reading.exact:
            return None
        last = dialogue.turns[-1]
        others = [dialogue.summary, *[turn.text for turn in dialogue.turns[:-1]]]

        def truncated(detail: str) -> Rejection:
            end = self._place(text, layout, len(layout.turns) - 1)
            return Rejection("truncated", detail, end, dialogue)

        if reading.doubtful_end and not (
            self.finish_reason == "stop"
            and last.text
            and not ends_in_doubt(last.text, others, None)
        ):
            return truncated("the output stops where it should not")
        if not last.text:
            if any(not other for other in others[1:]):
                return None
            return truncated("the last label has no text")
        structured_whole = last.span is None and reading.place is not None
        if structured_whole:
            return None
        if last.speaker == "person" and is_closed(last.text) and self.finish_reason != "length":
            return None
        if last.speaker == "person" and (
            self.finish_reason == "length" or not is_closed(last.text)
        ):
            return truncated("the output ends before the answer")
        if ends_in_doubt(last.text, others, self.finish_reason):
            return truncated("the last turn stops in the middle")
        return None

    def _no_turns(self, text: MappedText, dialogue: Dialogue, reading: Reading) -> Rejection:
        everything = text.text
        place = text.raw_span(*_trimmed(everything))
        if is_refusal(dialogue.summary):
            return Rejection("refusal", "the model declines", place, dialogue)
        if _lists_questions(dialogue.summary):
            return Rejection(
                "no_speaker_labels", "questions follow, but no speaker is named", place, dialogue
            )
        fault = find_fault(replace(dialogue, turns=()), min_pairs=0)
        if fault is not None and fault.code in {
            "placeholder_text",
            "garbled_text",
            "degenerate_repetition",
        }:
            return Rejection(fault.code, fault.detail, place, dialogue)
        if not dialogue.summary:
            return Rejection("truncated", "the output stops after a label", place)
        if self.finish_reason == "length":
            return Rejection("truncated", "the budget ended before the first turn", place, dialogue)
        return Rejection("too_few_turns", "a summary and no turns", place, dialogue)

    def _nothing(self, text: MappedText) -> Rejection:
        """Why a text without any speaker is no dialogue."""
        everything = text.text
        place = text.raw_span(*_trimmed(everything))
        if is_refusal(everything):
            return Rejection("refusal", "the model declines", place)
        if is_prompt_echo(everything):
            return Rejection("prompt_echo", "the output repeats the instruction", place)
        first = everything.lstrip()[:200].split("\n")[0].rstrip()
        if first.endswith(("[", "{", "(")) and ("=" in first or first in {"[", "{"}):
            return Rejection("malformed_markup", "code that is no data", place)
        if _lists_questions(everything):
            return Rejection("no_speaker_labels", "questions, but nothing says who speaks", place)
        alone = find_fault(Dialogue(everything.strip(), ()), min_pairs=0)
        if alone is not None and alone.code in {"garbled_text", "degenerate_repetition"}:
            return Rejection(alone.code, alone.detail, place)
        return Rejection("not_a_dialogue", "the text names no speakers", place)


def _has_markup(text: str) -> bool:
    """Whether a text may hold JSON, tags, entities, chat tokens, escapes, or be one string."""
    return (
        "<" in text
        or "[" in text
        or "{" in text
        or "\\" in text
        or "&" in text
        or text.lstrip()[:1] == '"'
    )


def _settled(utterances: list[Utterance]) -> list[Utterance]:
    labels = settle_letters([one.label for one in utterances if one.label is not None])
    settled = iter(labels)
    return [one if one.label is None else one._replace(label=next(settled)) for one in utterances]


def _keys_of(utterances: Sequence[Utterance]) -> tuple[str, ...]:
    labels = [one.label for one in utterances if one.label is not None]
    found = speaker_keys(labels)
    if len(labels) == len(utterances):
        return found
    keys = iter(found)
    return tuple(["" if one.label is None else next(keys) for one in utterances])


def _whole_string(text: str) -> str | None:
    """The content, when the whole text is one quoted string with escaped line ends."""
    stripped = text.strip()
    if not stripped.endswith('"') or "\\n" not in stripped:
        return None
    parsed = read_value(stripped, 0)
    if parsed.bad or parsed.cut or parsed.end != len(stripped) or not isinstance(parsed.value, str):
        return None
    return parsed.value


def _lists_questions(text: str) -> bool:
    count = 0
    for line in text.split("\n"):
        if line.rstrip(' *_"”').endswith(("?", "？", "؟")):
            count += 1
    return count >= 2


def _trimmed(text: str) -> Span:
    start = len(text) - len(text.lstrip())
    return start, max(start, len(text.rstrip()))
