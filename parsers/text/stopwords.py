"""Function words of English and Chinese: they carry no content of their own.

Question words (what, how, 什么, 如何 …) are left out on purpose: they tell one
question from another. `s`, `t`, `re` … are what an apostrophe leaves behind.
"""

from __future__ import annotations

_ENGLISH = """
    a an the this that these those such same own other another each every some any all both
    i me my mine we us our ours you your yours he him his she her hers it its they them their
    theirs itself themselves himself herself myself yourself ourselves one ones there here
    am is are was were be been being do does did doing done have has had having will would shall
    should can could may might must cannot
    and or but nor so yet if then else than as because while since until though although unless
    of in on at by for with about against between into through during before after above below
    to from up down out off over under again further via per within without upon among toward
    towards across along around
    not no yes only just also too very more most less least much many few several even still ever
    s t re ve ll d m don didn doesn isn aren wasn weren hasn haven hadn won wouldn couldn shouldn
    let lets ok okay well
"""

ENGLISH_STOP_WORDS = frozenset(_ENGLISH.split())

CHINESE_STOP_CHARACTERS = "的了是在和与及或也都就而但这那其之于被把们我你您他她它吗呢吧啊呀着"
"""Single characters; content is what stands between them."""
