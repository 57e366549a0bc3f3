"""Reads a dialogue marked up with tags, one element a turn; resolves HTML to lines."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import islice

from .edges import tidy
from .frame import is_stage_line
from .labels import SPEAKING, Label, LabelReader
from .offsets import Edit, MappedText
from .plain import read_lead
from .utterance import Reading, Utterance

_TAG = re.compile(
    r"<(?P<close>/?)(?P<name>[^\W\d_][\w.:-]{0,40}(?: [\w]{1,12})?)"
    r"(?P<attributes>(?:\s+[\w:-]{1,30}\s?=\s?(?:\"[^\"<>\n]{0,200}\"|'[^'<>\n]{0,200}'|"
    r"[^\s\"'<>]{1,60})){0,8})\s?(?P<void>/?)>"
)
_SQUARE = re.compile(r"\[/[^\W\d_][\w ]{0,24}\]")
_MOST_TAGS = 40_000
"""Tags beyond this many are left as they are: no dialogue has so many."""

_ATTRIBUTE = re.compile(
    r"([\w:-]{1,30})\s?=\s?(?:\"([^\"<>\n]{0,200})\"|'([^'<>\n]{0,200})'|([^\s\"'<>]{1,60}))"
)
_SPEAKER_ATTRIBUTES = (
    "speaker",
    "role",
    "name",
    "who",
    "from",
    "by",
    "author",
    "type",
    "id",
    "actor",
    "character",
)
_HTML_INLINE = frozenset(
    "b i u em strong emphasis prosody speak span mark small font say-as sub sup code a voice lang "
    "phoneme w s del ins abbr cite q kbd var tt big strike".split()
)
_HTML_BLOCK = frozenset(
    "p div br hr li ul ol dl dt dd h1 h2 h3 h4 h5 h6 table tr td th tbody thead html head body "
    "title section article header footer main pre blockquote figure style script meta link img "
    "break center details".split()
)
_HTML = _HTML_INLINE | _HTML_BLOCK
_SPEAKER_FIELDS = frozenset({"speaker", "role", "name", "who", "from", "author", "character"})
_TEXT_FIELDS = frozenset(
    {"text", "content", "utterance", "message", "line", "speech", "value", "says", "body"}
)


def resolve_html(text: MappedText) -> MappedText:
    """Turn block tags into line ends and drop inline ones, when the text uses HTML at all."""
    plain = text.text
    if "<" not in plain:
        return text
    edits: list[Edit] = []
    closing = False
    for tag in islice(_TAG.finditer(plain), _MOST_TAGS):
        name = tag["name"].split()[0].lower()
        if name not in _HTML or tag["name"].lower() in {"q", "a", "s", "w", "title"}:
            continue
        closing = closing or bool(tag["close"] or tag["void"] or name in {"br", "hr", "p"})
        if name in {"td", "th"}:
            edits.append((tag.start(), tag.end(), "" if tag["close"] else " | "))
        elif name == "dt":
            edits.append((tag.start(), tag.end(), ": " if tag["close"] else "\n"))
        else:
            edits.append((tag.start(), tag.end(), "\n" if name in _HTML_BLOCK else ""))
    return text.edited(edits) if edits and closing else text


def read_xml(text: str, reader: LabelReader) -> Reading | None:
    """The utterances in the elements of `text`, or None when tags do not carry its turns."""
    if "</" not in text:
        return None
    tags = [
        tag
        for tag in islice(_TAG.finditer(text), _MOST_TAGS)
        if not tag["void"] and tag["name"].lower() not in _HTML - {"q", "a"}
    ]
    if len(tags) < 2:
        return None
    return _Elements(text, tags, reader).reading()


class _Elements:
    def __init__(self, text: str, tags: Sequence[re.Match[str]], reader: LabelReader) -> None:
        self.text = text
        self.tags = tags
        self.reader = reader
        self.speaker = ""
        # <author> names the speaker of the <text> beside it, or is a speaker itself
        self.fielded = any(tag["name"].lower() in _TEXT_FIELDS for tag in tags)
        self.made: list[Utterance] = []

    def reading(self) -> Reading | None:
        labels = [self._label(tag) for tag in self.tags]
        opened = {
            tag["name"].lower()
            for tag, label in zip(self.tags, labels, strict=True)
            if label and not tag["close"]
        }
        closed = {tag["name"].lower() for tag in self.tags if tag["close"]}
        carrying = [
            at
            for at, label in enumerate(labels)
            if label
            and not self.tags[at]["close"]
            and self.tags[at]["name"].lower() in opened & closed
        ]
        turns = [at for at in carrying if labels[at] is not None and not labels[at].summary]  # type: ignore[union-attr]
        fields = [
            tag for tag in self.tags if tag["name"].lower() in _SPEAKER_FIELDS and tag["close"]
        ]
        if len(turns) < 2 and len(fields) < 2:
            return None
        return self._walk(labels, opened)

    def _label(self, tag: re.Match[str]) -> Label | None:
        name = tag["name"]
        if tag["attributes"]:
            found = {
                one[1].lower(): one[2] or one[3] or one[4] or ""
                for one in _ATTRIBUTE.finditer(tag["attributes"])
            }
            for attribute in _SPEAKER_ATTRIBUTES:
                if attribute in found:
                    label = self.reader.read(found[attribute])
                    if label is None and name.lower() in {"speaker", "person", "voice"}:
                        label = self.reader.read(f"{name} {found[attribute]}")
                    if label is not None and (label.kind in SPEAKING or label.summary):
                        return label
                    combined = self.reader.read(f"{name} {found[attribute]}")
                    if combined is not None and combined.kind in SPEAKING:
                        return combined
        if name.lower() in _TEXT_FIELDS or (self.fielded and name.lower() in _SPEAKER_FIELDS):
            return None
        label = self.reader.read(name)
        if (
            label is None
            or not (label.kind in SPEAKING or label.summary)
            or (label.kind == "name" and label.faint)
        ):
            return None
        return label

    def _walk(self, labels: list[Label | None], opened: set[str]) -> Reading:
        stack: list[int] = []
        names = Counter(self._name(at) for at, tag in enumerate(self.tags) if not tag["close"])
        fault: tuple[str, str, tuple[int, int]] | None = None
        last = 0
        for at, tag in enumerate(self.tags):
            name = tag["name"].lower()
            if not tag["close"]:
                if stack and labels[at] is not None and names[self._name(stack[-1])] == 1:
                    # an element that comes once and holds turns is none itself
                    labels[stack[-1]] = None
                if stack and labels[at] is not None and self._is_turn(labels, stack[-1]):
                    # a turn that opens inside another: the earlier one was never closed
                    fault = fault or ("malformed_markup", "a turn opens inside another", tag.span())
                    break
                if (
                    not stack
                    and self.made
                    and (stray := self.text[last : tag.start()]).strip()
                    and not self._harmless(stray)
                ):
                    fault = fault or (
                        "malformed_markup",
                        "text stands between the tags",
                        (last, tag.start()),
                    )
                    break
                stack.append(at)
                continue
            if stack and self.tags[stack[-1]]["name"].lower() == name:
                self._close(stack.pop(), tag, labels)
                last = tag.end()
                continue
            if name in opened or any(self.tags[one]["name"].lower() == name for one in stack[-8:]):
                fault = fault or (
                    "malformed_markup",
                    f"</{tag['name']}> closes no such turn",
                    tag.span(),
                )
                break
        doubtful = False
        if fault is None and any(self._is_turn(labels, at) for at in stack):
            at = next(at for at in reversed(stack) if self._is_turn(labels, at))
            self._say(labels[at], self.tags[at].end(), len(self.text), self.tags[at].start())
            doubtful = True
        elif (
            fault is None
            and self.made
            and (tail := self.text[last:].strip().lstrip("<"))
            and not stack
        ):
            doubtful = self.text[last:].strip().startswith("<") and ">" not in tail
        code, detail, place = fault if fault else (None, "", None)
        lead = read_lead(self.text, self.tags[0].start(), self.reader) if self.tags else ()
        return Reading((*lead, *self.made), code, detail, place, doubtful_end=doubtful)

    def _name(self, at: int) -> str:
        return self.tags[at]["name"].lower()

    def _is_turn(self, labels: Sequence[Label | None], at: int) -> bool:
        return labels[at] is not None

    def _harmless(self, stray: str) -> bool:
        return all(is_stage_line(line) or not line.strip() for line in stray.split("\n"))

    def _close(self, opening: int, closing: re.Match[str], labels: Sequence[Label | None]) -> None:
        tag = self.tags[opening]
        name = tag["name"].lower()
        label = labels[opening]
        if label is not None:
            self._say(label, tag.end(), closing.start(), tag.start())
        elif name in _SPEAKER_FIELDS:
            self.speaker = self.text[tag.end() : closing.start()].strip()
        elif name in _TEXT_FIELDS and self.speaker:
            self._say(
                self.reader.read(self.speaker) or Label(self.speaker.casefold(), "name"),
                tag.end(),
                closing.start(),
                tag.start(),
            )
            self.speaker = ""

    def _say(self, label: Label | None, start: int, end: int, at: int) -> None:
        said, span = tidy(self.text, start, end)
        self.made.append(Utterance(label, said, span, (at, end)))


def strip_wrappers(text: MappedText, reader: LabelReader) -> MappedText:
    """Write the tags that are left as lines: speakers and summaries as labels, others as nothing.

    Only elements that open and close count, so that "<" in prose stays.
    """
    if "[/" in text.text:
        text = text.edited((tag.start(), tag.end(), "") for tag in _SQUARE.finditer(text.text))
    plain = text.text
    if "</" not in plain:
        return text
    tags = list(islice(_TAG.finditer(plain), _MOST_TAGS))
    opened = {tag["name"].lower() for tag in tags if not tag["close"]}
    closed = {tag["name"].lower() for tag in tags if tag["close"]}
    speakers = 0
    for tag in tags:
        label = None if tag["close"] else reader.known(tag["name"])
        speakers += label is not None and label.kind in SPEAKING
    edits: list[Edit] = []
    for tag in tags:
        name = tag["name"].lower()
        if name not in opened & closed or name in _HTML:
            continue
        if not _edges_a_line(plain, tag):
            continue
        label = reader.known(tag["name"])
        # an element that comes once wraps the whole output
        speaks = label is not None and label.kind in SPEAKING and speakers > 1
        if (speaks or (label is not None and label.summary)) and not tag["close"]:
            edits.append((tag.start(), tag.end(), f"\n{tag['name']}: "))
        else:
            edits.append((tag.start(), tag.end(), "\n"))
    return text.edited(edits)


def _edges_a_line(text: str, tag: re.Match[str]) -> bool:
    """Whether a tag opens or closes a line (or another tag), so that it wraps and is not quoted."""
    if tag["close"]:
        after = text[tag.end() : tag.end() + 8].lstrip(" \t")
        return not after or after[0] in "\n<"
    before = text[max(0, tag.start() - 8) : tag.start()].rstrip(" \t")
    return not before or before[-1] in "\n>"
