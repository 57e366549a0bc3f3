"""The keys of the page: what the script listens to, the help lists, and the manual documents."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Key:
    """A key and what it does; `action` is the name the script knows, `where` the pages it is on."""

    key: str
    does: str
    action: str
    where: str = "everywhere"


KEYS = (
    Key("j", "next sample", "next", "list, sample"),
    Key("k", "previous sample", "previous", "list, sample"),
    Key("Enter", "open the chosen sample", "open", "list"),
    Key("n", "next page", "next-page", "list"),
    Key("p", "previous page", "previous-page", "list"),
    Key("a", "accept the sample", "accept", "sample"),
    Key("r", "refuse the sample", "refuse", "sample"),
    Key("u", "undo the decision", "undo", "sample"),
    Key("e", "edit the turns before accepting", "edit", "sample"),
    Key("m", "jump to the next marked fault", "fault", "sample"),
    Key("x", "open or close all details", "details", "sample"),
    Key("Escape", "back to the list, or leave a field", "back", "sample"),
    Key("/", "search", "search"),
    Key("f", "funnel", "funnel"),
    Key("l", "list of samples", "list"),
    Key("w", "what if", "whatif"),
    Key("c", "compare", "compare"),
    Key("t", "dark or light", "theme"),
    Key("?", "this help", "help"),
)
