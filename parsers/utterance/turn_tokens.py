"""Control tokens of chat templates: where the model itself ended its turn, and what is left of "
"them."""

from __future__ import annotations

import re

from parsers.dialogue.normalise import resolve_escapes, resolve_tokens
from parsers.dialogue.offsets import MappedText

_END = re.compile(
    r"<\|(?:im_end|eot_id|eom_id|eot|end|end_of_turn|endofturn|END_OF_TURN_TOKEN|endoftext|"
    r"end_of_text|eos)"
    r"\|>|</s>|<eos>|<end_of_turn>|<｜end▁of▁sentence｜>|\[EOS\]",
    re.IGNORECASE,
)
_TOKEN = re.compile(
    r"<[|｜/]?[\w▁]{1,40}[|｜]?>|\[/?INST\]|\b(?:system|user|assistant|human|model|bot)\b"
)


def one_turn(text: MappedText) -> tuple[MappedText, tuple[str, ...]]:
    """The text up to the token that ends the turn, without tokens; and words of `REMOVED_KINDS`.

    What a server that knows its model's template never shows: what comes after the end of a turn
    is somebody else's.
    """
    plain = text.text
    kinds: list[str] = []
    read = 0
    for end in _END.finditer(plain):
        said, read = plain[read : end.start()], end.end()
        if _TOKEN.sub("", said).strip():
            kinds.append("token")
            if _TOKEN.sub("", plain[end.end() :]).strip():
                kinds.append("further_turn")
            text = text.edited([(end.start(), len(plain), "")])
            break
    resolved = resolve_tokens(resolve_escapes(text))
    if resolved is not text and not kinds:
        kinds.append("token")
    return resolved, tuple(kinds)
