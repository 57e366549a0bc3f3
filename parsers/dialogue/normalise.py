"""Brings line ends, invisible characters, escapes and chat-template tokens into one form."""

from __future__ import annotations

import html
import re

from .offsets import Edit, MappedText

_ODD = re.compile(
    "\r\n?|[\u2028\u2029\x85\x0b\x0c]|"
    "[\u200b\u200e\u200f\u2060\ufeff\x00\u202a-\u202e\u2066-\u2069]+"
)
_SINGLE_BREAKS = dict.fromkeys(map(ord, "\r\u2028\u2029\x85\x0b\x0c"), "\n")
_MAYBE_ODD = re.compile(
    "[\r\u2028\u2029\x85\x0b\x0c\u200b\u200e\u200f\u2060\ufeff\x00\u202a-\u202e\u2066-\u2069]"
)
ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z]{2,8}\d{0,2});")
_ESCAPED_LINE = re.compile(r"\\r\\n|\\n|\\r(?![a-z])")
_ESCAPED_LABEL = re.compile(r"\\n[\s*#>\\-]{0,8}[^\W_][^\n\\:：]{0,30}[:：]")
_ESCAPES = re.compile(r"\\r\\n|\\[nrt\"']")
_ESCAPED_VALUES = {"\\n": "\n", "\\r": "\n", "\\r\\n": "\n", "\\t": "\t", '\\"': '"', "\\'": "'"}
_HARD_BREAK = re.compile(r"\\(?=\n|\Z)")
_ESCAPED_STARS = re.compile(r"\\([*_#])")
_ROLE = (
    r"(?:system|user|assistant|human|bot|ai|model|gpt|person|tool|ipython|developer|prompter|"
    r"answer|question)"
)
_TOKENS = re.compile(
    rf"<\|(?:im_start|start_of_role|turn|start)\|?>(?P<r1>{_ROLE})?[^\S\n]*(?:<\|(?:end_of_role|"
    rf"message)\|>)?\n?"
    rf"|<\|start_header_id\|>(?P<r2>{_ROLE})<\|end_header_id\|>\s?\s?"
    rf"|<start_of_turn>(?P<r3>{_ROLE})?\s?"
    rf"|<[|｜](?P<r4>{_ROLE})[|｜]>"
    r"|(?P<user>\[INST\])|(?P<bot>\[/INST\])"
    r"|(?P<eos></s>|<eos>|<\|endoftext\|>|<\|end_of_text\|>|<\|eos\|>|\[EOS\]|"
    r"<｜end▁of▁sentence｜>|<\|endofprompt\|>)"
    r"|(?P<end><\|(?:im_end|im_sep|eot_id|eom_id|end|return|END_OF_TURN_TOKEN|eot|end_of_turn|"
    r"endofturn)\|>|<end_of_turn>)"
    r"|(?P<skip><s>|<bos>|<pad>|<unk>|<mask>|<\|begin_of_text\|>|<\|startoftext\|>|"
    r"<｜begin▁of▁sentence｜>|"
    r"<\|(?:START_OF_TURN_TOKEN|pad|message)\|>|<</?SYS>>|\[PAD\])",
    re.IGNORECASE,
)
_LABEL_LATER = re.compile(r"(?m)^[^\n:：]{1,60}[:：]")


def unify_lines(text: MappedText) -> MappedText:
    """Every line end becomes "\\n"; characters without width or effect go."""
    plain = text.text
    if plain.isascii():
        if (
            "\r" not in plain
            and "\x0b" not in plain
            and "\x0c" not in plain
            and "\x00" not in plain
        ):
            return text
    elif not _MAYBE_ODD.search(plain):
        return text
    if "\r\n" not in plain:
        # one character for one: every place stays where it was
        plain = plain.translate(_SINGLE_BREAKS)
        text = MappedText(plain, text, (0,), (0,))
        if not _MAYBE_ODD.search(plain):
            return text
    edits: list[Edit] = []
    for odd in _ODD.finditer(plain):
        breaks = odd[0][0] in "\r\u2028\u2029\x85\x0b\x0c"
        edits.append((odd.start(), odd.end(), "\n" if breaks else ""))
    return text.edited(edits)


def resolve_escapes(text: MappedText) -> MappedText:
    """Turn literal "\\n" into line ends when labels follow them and real line ends are fewer."""
    plain = text.text
    if "\\" not in plain:
        return text
    if plain.count("\\\n") * 2 > plain.count("\n"):
        # Markdown's hard line breaks
        return text.edited(
            (found.start(), found.end(), "") for found in _HARD_BREAK.finditer(plain)
        )
    if "\\n" in plain:
        escaped = len(_ESCAPED_LINE.findall(plain))
        if escaped > plain.count("\n") and _ESCAPED_LABEL.search(plain):
            return text.edited(
                (found.start(), found.end(), _ESCAPED_VALUES[found[0]])
                for found in _ESCAPES.finditer(plain)
            )
    if "\\*\\*" in plain or "\\#" in plain:
        return text.edited(
            (found.start(), found.end(), found[1]) for found in _ESCAPED_STARS.finditer(plain)
        )
    return text


def resolve_entities(text: MappedText) -> MappedText:
    """Write HTML entities as the characters they stand for."""
    return text.edited(
        (found.start(), found.end(), html.unescape(found[0]))
        for found in ENTITY.finditer(text.text)
    )


def resolve_tokens(text: MappedText) -> MappedText:
    """Write role tokens of chat templates as labels; drop the other special tokens.

    What follows an end-of-text token is cut when no label stands in it.
    """
    plain = text.text
    if (
        "<" not in plain
        and "[INST]" not in plain
        and "[/INST]" not in plain
        and "[EOS]" not in plain
    ):
        return text
    edits: list[Edit] = []
    ended = -1
    roles = 0
    for token in _TOKENS.finditer(plain):
        role = token["r1"] or token["r2"] or token["r3"] or token["r4"]
        if token["user"]:
            role = "user"
        elif token["bot"]:
            role = "assistant"
        if token["eos"] and ended < 0 and plain[: token.start()].strip():
            ended = len(edits)
        if role:
            roles += 1
            edits.append((token.start(), token.end(), f"\n{role}: "))
        else:
            edits.append((token.start(), token.end(), "" if token["skip"] else "\n"))
    if roles == 1:
        # one role token alone announces the whole output
        edits = [(start, end, "\n") for start, end, _ in edits]
    if ended >= 0:
        start = edits[ended][0]
        if all(":" not in edit[2] for edit in edits[ended:]) and not _LABEL_LATER.search(
            plain[edits[ended][1] :]
        ):
            edits = [*edits[:ended], (start, len(plain), "")]
    return text.edited(edits) if edits else text
