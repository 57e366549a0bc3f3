"""Variants and worked examples: what is shipped, and what a user's files may get wrong."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from prompts import TemplateProblem, Variant, list_variants, load_example, load_template

RECIPE = "paperpersichat-davinci"


def test_the_shipped_variants() -> None:
    assert list_variants(RECIPE, "en") == (
        Variant("grammar", "chat", constraint="sentences"),
        Variant("schema", "chat", constraint="json"),
        Variant("few-shot", "completion", "Summary:", ("\nPaper:", "\nDialogue:", "\nSummary:")),
        Variant("plain", "chat"),
    )


def test_both_languages_have_the_same_variants() -> None:
    english, chinese = list_variants(RECIPE, "en"), list_variants(RECIPE, "zh")
    for one, other in zip(english, chinese, strict=True):
        assert (one.name, one.form, one.constraint) == (other.name, other.form, other.constraint)
        assert len(one.stop) == len(other.stop)
        assert bool(one.opening) == bool(other.opening)


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_every_variant_has_a_template_for_text_and_title(lang: str) -> None:
    for variant in list_variants(RECIPE, lang):
        load_template(RECIPE, lang, variant.name).check(("text", "title"))


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_example_is_a_dialogue_of_four_pairs(lang: str) -> None:
    example = load_example(RECIPE, lang)
    assert [turn.speaker for turn in example.turns] == ["person", "bot"] * 4
    assert example.title
    assert len(example.summary) < len(example.text)


def test_a_recipe_without_variants_has_none(tmp_path: Path) -> None:
    assert list_variants("recipe", "en", overrides=tmp_path) == ()


def write(folder: Path, name: str, text: str) -> None:
    place = folder / "recipe" / "en"
    place.mkdir(parents=True, exist_ok=True)
    (place / name).write_text(text, encoding="utf-8")


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        ('{"mine": {"form": "song"}}', "'form' of the variant 'mine' is one of: chat, completion"),
        ('{"mine": {"constraint": "rhyme"}}', "'constraint' of the variant 'mine'"),
        ('{"mine": {"stop": "x"}}', "'stop' of the variant 'mine' is a list"),
        ('{"mine": {"stop": [""]}}', "'stop' of the variant 'mine' is a list"),
        ('{"mine": {"opening": 3}}', "'opening' must be a text"),
        ('{"mine": {"color": "red"}}', "unknown key 'color'"),
        ('{"mine": []}', "must be an object"),
        ('{"other": {}}', "no other.jinja"),
        ("[]", "must hold one JSON object"),
        ("{\n\n,}", "variants.json:3: is not valid JSON"),
        ("[" * 100_000, "is not valid JSON"),
    ],
    ids=lambda text: text[:30],
)
def test_a_wrong_variants_file_says_what_is_wrong(tmp_path: Path, entry: str, words: str) -> None:
    write(tmp_path, "mine.jinja", "{{ text }}")
    write(tmp_path, "variants.json", entry)
    with pytest.raises(TemplateProblem) as caught:
        list_variants("recipe", "en", overrides=tmp_path)
    assert words in str(caught.value)
    assert "variants.json" in str(caught.value)


GOOD = {
    "title": "T",
    "text": "X",
    "summary": "S",
    "turns": [{"speaker": "person", "text": "Q?"}, {"speaker": "bot", "text": "A."}],
}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"title": None}, "'title' must be a text"),
        ({"summary": 3}, "'summary' must be a text"),
        ({"turns": []}, "'turns' must be a list"),
        ({"turns": "x"}, "'turns' must be a list"),
        ({"turns": [{"speaker": "dog", "text": "x"}]}, "'person' or 'bot'"),
        ({"turns": [{"speaker": "bot"}]}, "'text' must be a text"),
        ({"turns": ["x"]}, "'person' or 'bot'"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_a_wrong_example_says_what_is_wrong(
    tmp_path: Path, change: dict[str, object], words: str
) -> None:
    write(tmp_path, "example.json", json.dumps({**GOOD, **change}))
    with pytest.raises(TemplateProblem) as caught:
        load_example("recipe", "en", overrides=tmp_path)
    assert words in str(caught.value)


def test_a_template_gets_its_own_example_and_opening(tmp_path: Path) -> None:
    write(
        tmp_path, "mine.jinja", "{{ example.title }} {{ example.turns[1].text }} {{ opening -}}\n"
    )
    write(tmp_path, "example.json", json.dumps(GOOD))
    write(tmp_path, "variants.json", '{"mine": {"form": "completion", "opening": "S:"}}')
    template = load_template("recipe", "en", "mine", overrides=tmp_path)
    assert template.required == frozenset()
    assert template.render() == "T A. S:"


def test_an_example_that_is_not_there(tmp_path: Path) -> None:
    write(tmp_path, "mine.jinja", "{{ example.title }}")
    with pytest.raises(TemplateProblem, match=r"example\.json: .*missing"):
        load_template("recipe", "en", "mine", overrides=tmp_path)


def test_an_opening_that_is_not_there(tmp_path: Path) -> None:
    write(tmp_path, "mine.jinja", "{{ opening }}")
    with pytest.raises(TemplateProblem, match="no entry 'mine'"):
        load_template("recipe", "en", "mine", overrides=tmp_path)
