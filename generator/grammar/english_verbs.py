"""The verbs of technical English that the question rules know, and their forms."""

from __future__ import annotations

import re
from typing import Literal

VerbForm = Literal["base", "s", "past"]

_VERBS = re.compile(
    "accept|achieve|act|adapt|add|address|adjust|aggregate|agree|aim|align|allow|allocate|answer|apply|approximate"
    "|argue|arrive|ask|assign|assume|attach|attend|average|avoid|balance|begin|belong|block|bound|break"
    "|bring|build|calculate|capture|carry|change|check|choose|classify|clean|close|collect|combine"
    "|compare|compress|compute|confirm|connect|consist|consume|contain|continue|contribute|control"
    "|convert|copy|correct|cost|count|cover|create|cut|decay|decide|decode|decrease|define|delay"
    "|deliver|demand|depend|derive|describe|detect|determine|differ|discard|distinguish|distribute"
    "|divide|drain|drop|emit|enable|encode|end|enforce|ensure|estimate|evaluate|evict|evolve|examine"
    "|exceed|exchange|execute|expect|explain|exploit|explore|express|extend|extract|fail|fall|favou?r"
    "|feed|fetch|fill|filter|find|finish|fit|fix|follow|force|forget|form|fuse|gain|gather|generate"
    "|get|give|grow|guarantee|guess|guide|handle|help|hide|hold|identify|ignore|improve|include"
    "|increase|indicate|infer|inform|insert|install|inspect|introduce|involve|join|judge|keep|know|lack"
    "|last|lead|learn|leave|let|lie|limit|link|list|listen|load|look|lose|lower|maintain|make|map"
    "|mark|mask|match|mean|measure|meet|merge|minimi[sz]e|miss|model|modify|monitor|move|need"
    "|normali[sz]e|note|observe|obtain|occupy|occur|offer|open|operate|optimi[sz]e|order|outperform"
    "|pass|pay|penali[sz]e|perform|pick|place|plan|predict|prefer|present|preserve|prevent|process"
    "|produce|project|propagate|propose|protect|prove|provide|prune|publish|pull|push|put|raise"
    "|rank|reach|react|read|receive|recogni[sz]e|recommend|record|recover|reduce|refer|refine"
    "|reject|relate|release|rely|remain|remember|remove|repair|repeat|replace|replay|report|represent"
    "|request|require|rerank|resample|resist|resolve|respond|rest|restrict|retain|retrieve|return|reuse"
    "|reveal|rewrite|rise|rotate|route|run|sample|satisfy|save|scale|scan|score|search|see|select"
    "|send|separate|serve|set|share|shift|show|shrink|sign|simplify|simulate|skip|solve|sort|speak"
    "|specify|speed|spend|split|spread|start|stay|stop|store|study|suffer|suggest|sum|summari[sz]e"
    "|supply|support|survive|suppress|take|teach|tell|tend|test|track|train|transfer|transform"
    "|translate|transmit|travel|treat|trigger|try|tune|turn|update|use|vary|verify|visit|vote"
    "|wait|walk|want|warn|watch|weigh|widen|win|work|write|yield"
)
_IRREGULAR = {
    "began": "begin",
    "broke": "break",
    "brought": "bring",
    "built": "build",
    "chose": "choose",
    "cost": "cost",
    "cut": "cut",
    "fell": "fall",
    "fed": "feed",
    "found": "find",
    "gave": "give",
    "got": "get",
    "grew": "grow",
    "held": "hold",
    "hid": "hide",
    "kept": "keep",
    "knew": "know",
    "led": "lead",
    "left": "leave",
    "lost": "lose",
    "made": "make",
    "meant": "mean",
    "met": "meet",
    "paid": "pay",
    "put": "put",
    "ran": "run",
    "read": "read",
    "rose": "rise",
    "saw": "see",
    "sent": "send",
    "set": "set",
    "shrank": "shrink",
    "spent": "spend",
    "split": "split",
    "spread": "spread",
    "took": "take",
    "taught": "teach",
    "told": "tell",
    "won": "win",
    "wrote": "write",
}
_PARTICIPLES = re.compile(
    "begun|broken|brought|built|chosen|cut|done|drawn|driven|fallen|fed|found|given|grown|held"
    "|hidden|kept|known|led|left|lost|made|meant|met|paid|put|read|run|seen|sent|set|shown"
    "|shrunk|spent|split|spread|taken|taught|told|won|written"
)


def base_of(word: str) -> tuple[str, VerbForm] | None:
    """The base of a known verb's form and which form it is; None for any other word."""
    word = word.lower()
    if _VERBS.fullmatch(word):
        return word, "base"
    if word in _IRREGULAR:
        return _IRREGULAR[word], "past"
    for ending, form in (("s", "s"), ("ed", "past")):
        base = _without(word, ending)
        if base is not None:
            return base, "s" if form == "s" else "past"
    return None


def is_participle(word: str) -> bool:
    """Whether the word can follow "is" in a passive: "stored", "chosen"."""
    word = word.lower()
    return _PARTICIPLES.fullmatch(word) is not None or (len(word) > 4 and word.endswith("ed"))


def _without(word: str, ending: str) -> str | None:
    """The known verb that gives `word` with "s" or "ed", undoing e, y and doubled letters."""
    if not word.endswith(ending):
        return None
    stem = word[: -len(ending)]
    candidates = [stem]
    if ending == "s" and stem.endswith("e"):
        candidates.append(stem[:-1])
    if ending == "ed":
        candidates.append(stem + "e")
        if len(stem) > 2 and stem[-1] == stem[-2]:
            candidates.append(stem[:-1])
    if stem.endswith(("ie", "i")):
        candidates.append(stem.rstrip("e").removesuffix("i") + "y")
    for candidate in candidates:
        if _VERBS.fullmatch(candidate):
            return candidate
    return None
