"""Tells an output that was cut from one that merely has no full stop at its end."""

from __future__ import annotations

import re
from collections.abc import Sequence

_CLOSED = re.compile(
    r"[.!?。！？…؟।॥։።၊။|｡;~～♪)\]）】}>」』”\"’'`*_:%°\U0001f300-\U0001faff☀-➿]\W*$"
)
_LAST_SENTENCE = re.compile(r"[.!?。！？…؟।]\s")
_DANGLING = frozenset(
    "a an the of because and or but with for by from into onto than that which whose where "
    "while if as at on its their his her our your my this these those such very more most each "
    "every "
    "between "
    "during through using via per is-a are-the e.g i.e e.g. i.e. dr mr ms fig eq "
    "der die das ein eine einen und oder weil mit von für le la les un une et ou parce que avec "
    "de du des pour "
    "el los las y o porque con para por que il lo gli e perché "
    "и или потому что с для на из от к".split()
)
_AUXILIARIES = frozenset("is are was were has have had can could will would may might must".split())
_SUBJECTS = frozenset(
    "it they he she this that these those there we you i who what which one it's as than so".split()
)
_SHORT_WORDS = frozenset(
    "is it do so too yes no not all ago day now one two six ten you me us him her out up off on in "
    "am pm be go see use way why how who men man set sum map few any lot big new old own low bad "
    "end far hot cold dry wet sea air ice sun oil gas car bus cup box key law tax war art age job "
    "run add cut fit get let put say try win ask buy eat fly pay lie die cry red sky son boy dog "
    "cat cow pig bee ant egg arm leg eye ear lip hip toe rib bit bar bay bed bug cap dot gap hub "
    "jet kit lab leaf lid log mix net pin pop rod row tag tip top toy van web yet ii iii gpu cpu "
    "ram ms kg km cm mm hz db bp mb gb kb id api url ok nil nor per via was has had can may".split()
)
_DANGLING_WIDE = (
    "的",
    "和",
    "与",
    "與",
    "是",
    "在",
    "因为",
    "因為",
    "以及",
    "或",
    "而",
    "对",
    "對",
    "把",
    "将",
    "其",
    "并",
    "、",
    "の",
    "は",
    "が",
    "を",
    "に",
    "と",
    "で",
    "및",
    "와",
    "과",
    "는",
    "을",
    "를",
    "의",
)
_OPEN_END = ",，、;；:：(（[【「『“-–—/&=+<"


def ends_in_doubt(last: str, others: Sequence[str], finish_reason: str | None) -> bool:
    """Whether the last utterance may have been cut.

    `others` are the other utterances, which show whether this writer closes sentences at all.
    `finish_reason` "length" makes every end without a closing sign doubtful; "stop" forgives a
    missing full stop. Missing punctuation alone is no sign of truncation: of 1,968 model-written
    chats 125 end without it, nearly all complete.
    """
    text = last.rstrip()
    if not text:
        return True
    if text[-1] in _OPEN_END:
        return True
    if _unclosed(text):
        return True
    if _CLOSED.search(text[-8:]):
        return False
    if finish_reason == "length":
        return True
    sentence = text[-400:]
    for stop in _LAST_SENTENCE.finditer(sentence):
        start = stop.end()
        if start < len(sentence):
            sentence_start = start
            break
    else:
        sentence_start = 0
    if sentence_start:
        sentence = re.split(r"[.!?。！？…؟।]\s+", sentence)[-1]
    words = sentence.split()
    final = words[-1].casefold() if words else ""
    stub = final if words and words[-1].islower() else ""
    if final in _DANGLING:
        return True
    if final in _AUXILIARIES and len(words) > 1 and words[-2].casefold() not in _SUBJECTS:
        return True
    if not final.isascii() and final.endswith(_DANGLING_WIDE):
        return True
    if _is_fragment(final, others) or _is_stub(stub, others):
        return True
    if finish_reason == "stop":
        return False
    closes = sum(1 for other in others if _CLOSED.search(other.rstrip()[-8:]))
    if closes < len(others):
        return False
    return len(words) > 4 or (len(words) <= 2 and not final.isascii() and len(sentence) > 12)


def is_closed(text: str) -> bool:
    """Whether a text ends in a sign that closes a sentence, a quotation or a list."""
    return _CLOSED.search(text.rstrip()[-8:]) is not None


def _unclosed(text: str) -> bool:
    """An opened parenthesis or quotation in the last stretch that never closes."""
    tail = text[-160:]
    if "(" not in tail and tail.isascii():
        return False
    for opener, closer in ("()", "（）", "“”", "「」", "《》", "【】"):
        at = tail.rfind(opener)
        if at > tail.rfind(closer) and not (opener == "(" and at and tail[at - 1] in ":;"):
            return not _CLOSED.search(text[-1:]) or text[-1] not in ".!?。！？"
    return False


def _is_stub(word: str, others: Sequence[str]) -> bool:
    """Whether a short last word is none of the short words English sentences end in."""
    if not 0 < len(word) <= 3 or not word.isascii() or not word.isalpha() or word in _SHORT_WORDS:
        return False
    return any(
        sign in f" {other.casefold()} " for other in others for sign in (" the ", " of ", " is ")
    )


def _is_fragment(word: str, others: Sequence[str]) -> bool:
    """Whether the last word begins another word of the text and never occurs whole."""
    word = word.strip("\"'“”()*_")
    if len(word) < 2 or not word.isalpha() or not word.isascii():
        return False
    longer = False
    pattern = re.compile(rf"\b{re.escape(word)}(\w*)", re.IGNORECASE)
    for other in others:
        for found in pattern.finditer(other):
            if not found[1]:
                return False
            longer = longer or (len(found[1]) > 1 and len(word) < 6)
    return longer
