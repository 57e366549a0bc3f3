"""Tokens, content units and views of text in any script."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parsers.text.content import content_runs, content_units, known_units, view, views
from parsers.text.known import known_among
from parsers.text.reference import ReferenceText
from parsers.text.repetition import repeated_pairs
from parsers.text.tokens import fold, runs, tokens


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("The cache's 2 queues!", ["the", "cache", "s", "2", "queues"], id="english"),
        pytest.param(
            "It’s naïve – À la carte", ["it", "s", "naïve", "à", "la", "carte"], id="latin"
        ),
        pytest.param("缓存很快。", ["缓", "存", "很", "快"], id="chinese"),
        pytest.param("BERT模型v2好", ["bert", "模", "型", "v2", "好"], id="mixed"),
        pytest.param("ＢＥＲＴ５ と", ["bert5", "と"], id="full-width"),
        pytest.param("Быстрый КЭШ", ["быстрый", "кэш"], id="cyrillic"),
        pytest.param("Άλφα ΟΔΟΣ", ["άλφα", "οδοσ"], id="greek"),
        pytest.param("हिन्दी किताब।", ["हिन्दी", "किताब"], id="devanagari"),
        pytest.param("العَرَبِيَّة جميلة؟", ["العَرَبِيَّة", "جميلة"], id="arabic"),
        pytest.param("캐시는 빠르다", ["캐시는", "빠르다"], id="korean"),
        pytest.param("ไทย", ["ไ", "ท", "ย"], id="thai"),
        pytest.param("👍🎉 …?!", [], id="no-words"),
        pytest.param("", [], id="empty"),
        pytest.param("snake_case", ["snake", "case"], id="underscore"),
        pytest.param("a\x01é b\x02", ["a", "é", "b"], id="control-characters"),
        pytest.param("x∈S", ["x", "s"], id="symbol"),
        pytest.param("\ud800half", ["half"], id="lone-surrogate"),
    ],
)
def test_tokens(text: str, expected: list[str]) -> None:
    assert tokens(text) == expected


def plain(text: str) -> list[str]:
    """Tokens by the one general rule, without any shortcut."""
    return [t for unspaced, word in runs(fold(text)) for t in (list(unspaced) or [word])]


@settings(deadline=None, max_examples=400)
@given(st.text(st.one_of(st.characters(), st.sampled_from("aé’İßαя水\x01\x0e_ \u0301٣Ⅳ"))))
def test_shortcuts_give_what_the_general_rule_gives(text: str) -> None:
    assert tokens(text) == plain(text)


@settings(deadline=None, max_examples=100)
@given(st.text(max_size=80), st.text(max_size=80))
def test_every_content_unit_of_a_text_is_known_to_a_text_that_holds_it(a: str, b: str) -> None:
    assert content_units(a) <= known_units(f"{b} {a} {b}")


SCRIPTS = st.text(st.one_of(st.characters(), st.sampled_from("ab é’αя水井的Ａかไท캐\x1e. ")))


@settings(deadline=None, max_examples=300)
@given(st.lists(SCRIPTS, max_size=6))
def test_texts_read_together_are_read_as_each_alone(texts: list[str]) -> None:
    # All but the last, which is only a bound.
    assert [seen[:-1] for seen in views(texts)] == [view(text)[:-1] for text in texts]
    for text, seen in zip(texts, views(texts), strict=True):
        assert seen.tokens == plain(text)
        assert max(0, seen.repeats) >= repeated_pairs(seen.tokens)


@settings(deadline=None, max_examples=300)
@given(st.lists(SCRIPTS, max_size=6), SCRIPTS)
def test_units_are_found_as_in_a_text_read_whole(texts: list[str], text: str) -> None:
    units = frozenset().union(*[content_units(part) for part in [*texts, text[: len(text) // 2]]])
    assert known_among(units, text) == units & known_units(text)


@pytest.mark.parametrize("count", [0, 3, 50, 500])
@pytest.mark.parametrize("form", ["w{} ", "水{}井"])
def test_many_and_few_units_are_found_alike(form: str, count: int) -> None:
    names = [chr(0x4E00 + n) if "水" in form else str(n) for n in range(900)]
    text = "".join(map(form.format, names[::2]))
    units = content_units("".join(map(form.format, names[:count])))
    known = known_among(units, text)
    assert known == units & known_units(text)
    assert (0 < len(known) < len(units)) == (count > 0)


def test_content_units_leave_out_function_words_and_keep_question_words() -> None:
    assert content_units("What is the window of the cache?") == {"what", "window", "cache"}
    assert content_units("缓存的窗口是什么？") == {"缓存", "窗口", "什么"}
    assert content_units("the of and") == content_units("的") == frozenset()
    assert content_units("水") == {"水"}


def test_a_view_counts_repeats_and_fits_sequences_to_the_script() -> None:
    english, chinese, thai = view("a b a c a"), view("缓存缓存缓存"), view("ไทยไทยไทย")
    assert (english.repeats, english.sequence) == (1, 6)
    assert (chinese.repeats, chinese.sequence) == (3, 10)
    assert thai.sequence == 24
    assert chinese.words == {"缓存", "存缓"}
    assert view("mostly English words 缓存").sequence == 6


def test_content_runs_are_cut_at_function_characters() -> None:
    assert content_runs("缓存的窗口, fast") == ["缓存", "窗口"]
    assert content_runs("no such script") == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("QuickSpell is here", {"quickspell"}, id="name"),
        pytest.param("a fast spell checker", {"spell checker"}, id="pair"),
        pytest.param("the spell of a checker", {"spell checker"}, id="function-words-between"),
        pytest.param("checker and spell", set(), id="other-order"),
        pytest.param("它是拼写检查器。", {"拼写检查器"}, id="chinese-run"),
        pytest.param("拼写", set(), id="two-characters"),
        pytest.param("nothing of it", set(), id="none"),
    ],
)
def test_signs_of_a_reference(text: str, expected: set[str]) -> None:
    reference = ReferenceText.of("QuickSpell is a spell checker.", "拼写检查器很快。")
    seen = view(text)
    foreign = reference.content & seen.content
    assert reference.signs_in(text, seen.tokens, foreign) == expected


def test_what_the_source_knows_is_no_sign() -> None:
    reference = ReferenceText.of("QuickSpell is a spell checker.")
    seen = view("QuickSpell, a spell checker")
    foreign = (reference.content - known_units("a checker named QuickSpell")) & seen.content
    assert reference.signs_in(seen.text, seen.tokens, foreign) == frozenset()


@settings(deadline=None, max_examples=200)
@given(st.text())
def test_a_text_has_as_many_tokens_as_its_view(text: str) -> None:
    assert tokens(text) == view(text).tokens
