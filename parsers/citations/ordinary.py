"""Brackets that are no citations: indices, intervals, enumerations, equations, chemical names."""

from __future__ import annotations

import re

from parsers.citations.forms import Written
from parsers.citations.numbers import ENGLISH_KEY
from parsers.citations.surroundings import (
    MARKS,
    SENTENCE_ENDS,
    next_character,
)

_WINDOW = 48
_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*$")
_CODE_NAMES = frozenset(
    "arr argv argc args vec nums dict buf dp df tmp ptr lst foo bar baz idx params kwargs".split()
)
_OPERATOR_BEFORE = re.compile(r"[=+*/%<>&|^∈∑∏√-]\s?$")
_OPERATOR_AFTER = re.compile(
    r"\s?(?:[+*/%^<>=!:]=|=|\+\+|--|[*/%^]\s?\w|[<>]\s?[\w(]|[+-]\s?[\w(\[]|\.[A-Za-z_]\w*\s?[(=]|\(|"
    r"\[[A-Za-z_:])"
)
_NAME_AFTER = re.compile(r"-?[a-z]|_")
_WORD_BEFORE = re.compile(r"(?:^|[^\w'’-])([A-Za-z]+)\s+$")
_ABOUT_ARRAYS = frozenset(
    "array arrays element elements entry entries index indices vector variable slot cell "
    "component coordinate matrix register byte".split()
)
_BEFORE_A_VARIABLE = _ABOUT_ARRAYS | frozenset(
    "of the in to is and or if let set read where then value with from at by than as".split()
)
_CHINESE_ARRAYS = re.compile(
    "(?:数组|數組|元素|下标|下標|索引|变量|變量|向量|矩阵|矩陣|分量|序列)[\\s]?\\w{0,8}$"
)
_INTERVAL = re.compile(
    r"(?:\b(?:intervals?|ranges?(?: of)?|range from|domain|bounds?|between|values? in|"
    r"lies? in|scaled? to|normali[sz]ed to|clamped to|clipped to|probabilit(?:y|ies) in|points?|"
    r"pair|tuple|list|vector|shape|size|dimensions?|coordinates?|array|matrix)(?: is| are| of| at)?"
    r"|(?:^|[^\w])[a-z] in|[=∈→<>≤≥×:：]|"
    "区间|區間|范围|範圍|取值|闭区间|之间|之間|介于|介於|归一化到|缩放到|坐标|座標|列表|向量|矩阵|形状|属于)"
    r"\s{0,3}[为為是在：:]?\s{0,2}$",
    re.IGNORECASE,
)
_NUMBERED_THING = re.compile(
    r"(?:\b(?:equations?|eqn?s?\.?|formulas?|formulae|inequalit(?:y|ies)|steps?|items?|figures?|"
    r"figs?\.?|tables?|sections?|sec\.?|clauses?|theorems?|lemmas?|paragraphs?|articles?|chapters?|"
    r"lines?|pages?|no\.?|in|by|from|of|with|see|to|via|using|per|than|as|"
    # Of these a number makes a name only where nothing else does: "in case (2)", "a hard case (2)".
    r"(?:(?:^|[.,;:(]\s?|\b(?:in|of|to|for|under|from|by|see|with|is|and|or|not|as|on|our|my|their)\s)"
    r"(?:conditions?|cases?|parts?|types?|class(?:es)?|levels?|groups?|options?|stages?|phases?|"
    r"points?|rules?|definitions?|propert(?:y|ies)|assumptions?|constraints?|problems?|questions?|"
    r"answers?|numbers?|order|grade|versions?|models?|expressions?|predictions?|hypothes[ie]s|"
    r"aims?|experiments?))|"
    r"(?:and|or|to|through|,)\s{0,2}[(（]\d{1,3}[)）])(?:\s(?:and|or))?"
    "|公式|等式|方程|方程式|不等式|步骤|步驟|条件|條件|情况|情況|等级|选项|選項|阶段|階段|定理|引理|条款|"
    "[见見如由从從按和与與或据據]|"
    "(?:^|[^\u4e00-\u9fff]|[见見如由从從按和与與或据據在])(?:图|圖|表|式|类|级|第|节|章|项|題|题|点|步))"
    r"\s{0,2}$",
    re.IGNORECASE,
)
_ENGLISH_NAMED = re.compile(
    rf"(?:^|[^\w])(?P<name>{ENGLISH_KEY}|tables?|figures?|figs?\.?|equations?|eqs?\.?|sections?|"
    r"chapters?|steps?|lines?|items?|appendix|exercises?)\s{1,2}$",
    re.IGNORECASE,
)
_PROMPT_WORDS = frozenset("document documents doc docs passage passages".split())
_CHINESE_NAMED = re.compile(
    "(?:(?:^|[，。；：、（(\\s]|[与與和及在从從据據])(?:文档|文檔|资料|資料)|[见見如由]下?上?(?:图|圖|表|式|公式|方程)|"
    "(?:^|[，。；：、（(])(?:图|圖|表|式))\\s?$"
)
_SPELLED = {
    1: re.compile(r"\b(?:one|once|single)\b|[一单單]", re.IGNORECASE),
    2: re.compile(r"\b(?:two|twice|double|both|pair)\b|[二两兩双雙]", re.IGNORECASE),
    3: re.compile(r"\b(?:three|thrice|triple)\b|三", re.IGNORECASE),
    4: re.compile(r"\bfour\b|四", re.IGNORECASE),
}
# A line with a formula ends in its number.
_FORMULA = re.compile(r"[=≤≥∑∫][^\n]*$|[+−*/<>,][ ]?\w{0,4}[ ]*$")
_FUNCTIONS = frozenset(
    "sin cos tan cot sec csc log ln lg exp max min sup inf lim det arg gcd mod sqrt print range "
    "len int float round abs floor ceil chr ord sleep exit".split()
)
_UNITS = frozenset(
    "km cm mm dm nm um yd ft in mi kg sec mile miles inch inches foot feet yard yards metre metres "
    "meter meters kilometre kilometres kilometer kilometers centimetres centimeters millimetres "
    "millimeters arcsec acre log sin cos tan chi rho eta phi".split()
)
_WIDE_UNITS = frozenset("米里尺寸码英")


def is_index(text: str, start: int, end: int) -> bool:
    """Whether the square bracket `text[start:end]` is an index, or part of a code-like name.

    `a[1]`, `x_train[2] = 0`, `dp[3] + 1`, `[2]rotaxane`. Not `London[1].`, `vitamin C[1].`,
    which differ in what stands around them.
    """
    following = text[end : end + 1]
    free = start == 0 or text[start - 1].isspace() or text[start - 1] in "-(（"
    if free and _NAME_AFTER.match(text, end) is not None:
        return True
    if start == 0:
        return False
    window = text[max(0, start - _WINDOW) : start]
    match = _IDENTIFIER.search(window)
    if match is None:
        return window[-1] == "-" and following.isalnum() and following.isascii()
    name, before = match.group(), window[: match.start()]
    joined = before[-1:]
    if joined and not joined.isascii() and joined.isalpha():
        # A Latin letter or name in a text of another script, as in 维生素C[1].
        return "_" in name or _CHINESE_ARRAYS.search(before) is not None
    if "_" in name or name in _CODE_NAMES:
        return True
    if _OPERATOR_AFTER.match(text, end) is not None or _OPERATOR_BEFORE.search(before) is not None:
        return True
    word = _WORD_BEFORE.search(before)
    said_before = word[1].lower() if word is not None else ""
    if said_before in _ABOUT_ARRAYS and (len(name) <= 2 or _closes(text, end) is False):
        return True
    if _CHINESE_ARRAYS.search(before) is not None:
        return True
    if len(name) > 1:
        return False
    if name == "I":
        return False
    if not _closes(text, end):
        return name.islower() or said_before in _BEFORE_A_VARIABLE or not said_before
    return name.islower() and (said_before in _BEFORE_A_VARIABLE or not said_before)


def is_interval(text: str, start: int, numbers: tuple[int, ...]) -> bool:
    """Whether several numbers in one bracket are a range of values, a point or a list."""
    if len(numbers) < 2:
        return False
    if 0 in numbers:
        return True
    return _INTERVAL.search(text[max(0, start - _WINDOW) : start]) is not None


def is_round_citation(text: str, written: Written) -> bool:
    """Whether `(1)` stands where only a citation stands: at a clause's end, naming nothing.

    Not "equation (1).", "f(2)", "(1) first", "lost (1-3).", "iron(2) oxide".
    """
    if written.ranged or 0 in written.numbers:
        return False
    start, end = written.start, written.end
    window = text[max(0, start - _WINDOW) : start]
    stripped = window.rstrip()
    if not stripped or "\n" in window[len(stripped) :]:
        return False
    after_mark = stripped[-1] in SENTENCE_ENDS or stripped.rstrip("\"'”’」』")[-1:] in SENTENCE_ENDS
    following = text[end : end + 1]
    if (following and following in "[［【〔") or stripped[-1] in ":：,，、-–—":
        return False
    if next_character(text, end) in (":", "："):
        # A volume with its issue: "23 (7): 1739".
        return False
    if following in ("", "\n", '"') and _FORMULA.search(window) is not None:
        return False
    if _spelled(stripped, written.numbers[0]):
        return False
    if after_mark:
        # "It is blue. (1) It is red." and not "It has: (1) a lid."
        if next_character(text, end) not in ("", "\n"):
            return False
    elif not _closes(text, end):
        return False
    if following.isascii() and following.isalnum():
        return False
    if _NUMBERED_THING.search(stripped) is not None:
        return False
    if len(written.numbers) > 1 and _INTERVAL.search(stripped) is not None:
        return False
    if stripped == window:
        name = _IDENTIFIER.search(window)
        if name is not None:
            word = name.group()
            return len(word) >= 4 and word.isalpha() and word.lower() not in _FUNCTIONS
        return not (stripped[-1].isascii() and stripped[-1].isalnum())
    return True


def is_named(text: str, start: int, end: int) -> bool:
    """Whether the words before a bracket make it a name: "Document [1] says", "见图[2]".

    "energy sources [1]." is none, and neither is "地图[2]".
    """
    window = text[max(0, start - 24) : start]
    if _CHINESE_NAMED.search(window) is not None:
        return True
    match = _ENGLISH_NAMED.search(window)
    if match is None:
        return False
    name = match["name"]
    return name[0].isupper() or (name in _PROMPT_WORDS and not _closes(text, end))


def _spelled(before: str, number: int) -> bool:
    """Whether a number in brackets repeats a numeral: "two lamps (2)"."""
    words = _SPELLED.get(number)
    return words is not None and words.search(before[-28:]) is not None


def is_raised_citation(text: str, start: int, end: int) -> bool:
    """Whether a superscript number follows a word or a sentence, and no unit or symbol."""
    before = text[start - 1 : start]
    following = text[end : end + 1]
    if following.isalnum() and following.isascii():
        return False
    if following in ("⁺", "⁻", "⁼", "ⁿ", "⁽"):
        return False
    if before in ("”", "’", "」", "』", "》", ")", "）", '"') or (before and before in MARKS):
        return True
    name = _IDENTIFIER.search(text[max(0, start - _WINDOW) : start])
    if name is not None:
        word = name.group()
        return len(word) >= 3 and word.isalpha() and word.lower() not in _UNITS
    return before.isalpha() and before not in _WIDE_UNITS and not before.isascii()


def _closes(text: str, end: int) -> bool:
    """Whether a clause or the text ends at `end`, or another bracket of a number follows."""
    following = next_character(text, end)
    if following in ("", "\n", "\r"):
        return True
    if following in MARKS or following in "”’」』\"')）]】>*":
        return True
    return following in "[［【〔(（" and text[end + 1 : end + 2].isdigit()
