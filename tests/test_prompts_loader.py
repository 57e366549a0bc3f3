"""Templates: strict about variables, sandboxed, and values that stay data."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prompts import Template, TemplateProblem, list_variants, load_template

RECIPE = "paperpersichat-davinci"
HOSTILE = (
    "{{ 7 * 7 }} {% for x in y %} {# gone #} {{ self }} {\"a\": '{b}'} $x \\alpha \\N{DASH} "
    "<b>&amp;</b> \u2028\u2029\u0085 \x00 \ud800 😀 中文 %s %(x)s"
)


def template_of(folder: Path, source: str, name: str = "mine") -> Template:
    place = folder / "recipe" / "en"
    place.mkdir(parents=True, exist_ok=True)
    (place / f"{name}.jinja").write_text(source, encoding="utf-8")
    return load_template("recipe", "en", name, overrides=folder)


def problem_of(folder: Path, source: str, **values: object) -> TemplateProblem:
    with pytest.raises(TemplateProblem) as caught:
        template_of(folder, source).render(**values)
    return caught.value


def test_the_published_prompt_is_rendered_to_the_letter() -> None:
    rendered = load_template(RECIPE, "en", "plain").render(text="The segment.")
    assert rendered == (
        "Generate a dialogue between you and another person based on the following paper. "
        "You have access to the paper. In the first utterance you should write a short summary. "
        "The other person sees only your summary and asks four (4) questions, separated by your "
        "answers.\n\nThe segment."
    )


def test_the_chinese_prompt_says_the_same() -> None:
    rendered = load_template(RECIPE, "zh", "plain").render(text="片段。")
    assert rendered == (
        "请根据下面的论文，生成一段你与另一个人之间的对话。你可以看到这篇论文。在第一句话中，"
        "你应当写一段简短的摘要。另一个人只能看到你的摘要，并提出四（4）个问题，问题之间由你的"
        "回答隔开。\n\n片段。"
    )


@pytest.mark.parametrize(
    ("lang", "person", "bot", "end"),
    [
        ("en", "Person: ", "You: ", "\n\nPaper: T\n\nBody.\n\nDialogue:\nSummary:"),
        ("zh", "对方：", "你：", "\n\n论文：T\n\nBody.\n\n对话：\n摘要："),
    ],
    ids=["en", "zh"],
)
def test_few_shot_shows_the_example_and_ends_with_the_opening(
    lang: str, person: str, bot: str, end: str
) -> None:
    template = load_template(RECIPE, lang, "few-shot")
    rendered = template.render(title="T", text="Body.")
    assert template.example is not None
    lines = rendered.splitlines()
    shown = [line for line in lines if line.startswith((person, bot))]
    assert shown == [
        (person if turn.speaker == "person" else bot) + turn.text for turn in template.example.turns
    ]
    assert template.example.text in lines
    assert rendered.endswith(end)
    assert template.opening == end.rsplit("\n", 1)[1]


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("hostile", [HOSTILE, "{{" * 500_000, "x" * 2_000_000], ids=lambda t: t[:9])
def test_a_value_is_data_whatever_it_holds(lang: str, hostile: str) -> None:
    for variant in list_variants(RECIPE, lang):
        template = load_template(RECIPE, lang, variant.name)
        values = dict.fromkeys(template.required, "plain")
        expected = template.render(**{**values, "text": "\ue000"})
        assert template.render(**{**values, "text": hostile}) == expected.replace("\ue000", hostile)


@settings(deadline=None, max_examples=60)
@given(st.text(st.characters(), max_size=80))
def test_any_text_comes_out_as_it_went_in(text: str) -> None:
    assert load_template(RECIPE, "en", "plain").render(text=text).endswith("answers.\n\n" + text)


def test_white_space_is_fixed(tmp_path: Path) -> None:
    source = (
        "a\n{% for x in xs %}\n  {% if x %}\n  - {{ x }}\n  {% endif %}\n{% endfor %}\nb  c\n\n"
    )
    assert template_of(tmp_path, source).render(xs=["1", "2"]) == "a\n  - 1\n  - 2\nb  c\n\n"


def test_windows_line_ends_and_a_bom_do_not_matter(tmp_path: Path) -> None:
    place = tmp_path / "recipe" / "en"
    place.mkdir(parents=True)
    (place / "mine.jinja").write_bytes("\ufeffa\r\n{{ x }}\r\n".encode())
    assert load_template("recipe", "en", "mine", overrides=tmp_path).render(x="1") == "a\n1\n"


def test_html_is_not_escaped(tmp_path: Path) -> None:
    # Escaping is off on purpose: a prompt with &#39; in it teaches the model to write &#39;.
    text = 'it\'s <b> & "c"'
    assert template_of(tmp_path, "{{ x }}{{ x|tojson }}").render(x=text) == (
        text + '"it\'s <b> & \\"c\\""'
    )


def test_json_keeps_every_script(tmp_path: Path) -> None:
    rendered = template_of(tmp_path, "{{ x|tojson }}").render(x={"文": ["\u2028", "😀", 1.5]})
    assert rendered == '{"文": ["\u2028", "😀", 1.5]}'


def test_nan_is_no_json(tmp_path: Path) -> None:
    assert "cannot be rendered" in str(problem_of(tmp_path, "{{ x|tojson }}", x=float("nan")))


@pytest.mark.parametrize(
    ("source", "line", "variable"),
    [
        ("a\nb {{ text }}\n{{ nope }}", 3, "nope"),
        ("{% if nope is defined %}{% endif %}", 1, "nope"),
        ("\n{% for x in nope %}{{ x }}{% endfor %}", 2, "nope"),
    ],
    ids=["printed", "tested", "looped over"],
)
def test_an_unknown_variable_is_found_before_anything_is_asked(
    tmp_path: Path, source: str, line: int, variable: str
) -> None:
    template = template_of(tmp_path, source)
    assert variable in template.required
    with pytest.raises(TemplateProblem, match="Use one of: text, title") as caught:
        template.check({"text", "title"})
    assert (caught.value.line, caught.value.variable) == (line, variable)
    assert f"mine.jinja:{line}: " in str(caught.value)


def test_a_template_with_known_variables_passes(tmp_path: Path) -> None:
    template = template_of(
        tmp_path, "{% set y = text %}{{ y }}{% for z in range(2) %}{{ z }}{% endfor %}"
    )
    template.check(["text"])
    assert template.required == {"text"}


def test_none_is_an_error(tmp_path: Path) -> None:
    problem = problem_of(tmp_path, "a\n{{ title }}", title=None)
    assert (problem.line, problem.variable) == (2, "title")


@pytest.mark.parametrize(
    ("source", "line", "words"),
    [
        ("{{ none }}", 1, "None"),
        ("\n{{ x.y }}", 2, "None"),
        ("\n\n{{ x.nope }}", 3, "no attribute"),
        ("{{ x.y.z }}", 1, "no attribute"),
        ("{{ 1 / 0 }}", 1, "division"),
        ("{{ x + 1 }}", 1, "cannot be rendered"),
    ],
    ids=["none", "none inside", "no such key", "key of none", "division", "types"],
)
def test_faults_while_rendering_name_their_line(
    tmp_path: Path, source: str, line: int, words: str
) -> None:
    problem = problem_of(tmp_path, source, x={"y": None})
    assert problem.line == line
    assert words in str(problem)


@pytest.mark.parametrize(
    "source",
    [
        "{{ x.__class__ }}",
        "{{ ''.__class__.__mro__[1].__subclasses__() }}",
        "{{ x|attr('__class__') }}",
        "{{ '{0.__class__}'.format(x) }}",
        "{{ cycler.__init__.__globals__ }}",
        "{{ self._TemplateReference__context }}",
        "{{ xs.append(1) }}",
        "{{ xs.clear() }}",
    ],
)
def test_the_sandbox_holds(tmp_path: Path, source: str) -> None:
    problem = problem_of(tmp_path, "\n" + source, x="x", xs=["x"])
    assert problem.line == 2
    assert "not allowed" in str(problem)


@pytest.mark.parametrize(
    "source",
    [
        "{% for i in range(90000) %}{% for j in range(90000) %}x{% endfor %}{% endfor %}",
        "{% for i in x %}{% for j in x %}{% for k in x %}x{% endfor %}{% endfor %}{% endfor %}",
        "{% for i in range(100000000) %}x{% endfor %}",
        "{{ 'a' * 10000000000 }}",
        "{{ ['a'] * 10000000000 }}",
        "{{ 9 ** 9 ** 9 }}",
        "{% macro f(n) %}{% if n %}{{ f(n - 1) * 2 }}{{ f(n - 1) }}{% endif %}{% endmacro %}"
        "{{ f(99) }}",
        "{% macro f(n) %}{{ f(n) }}{% endmacro %}{{ f(1) }}",
        "{% for c in x recursive %}{{ loop(x) }}{{ loop(x) }}{% endfor %}",
    ],
    ids=[
        "nested ranges",
        "nested texts",
        "long range",
        "long text",
        "long list",
        "power",
        "doubling macro",
        "endless macro",
        "recursive loop",
    ],
)
def test_no_template_runs_without_end(tmp_path: Path, source: str) -> None:
    problem_of(tmp_path, source, x="x" * 1000)


@pytest.mark.parametrize(
    "source",
    ["a\n{{\\alpha}}", "a\n{% if %}", "a\n{{ text }", "a\n{# open"],
    ids=["latex", "no condition", "one brace", "open comment"],
)
def test_syntax_faults_say_where_and_what_to_do(tmp_path: Path, source: str) -> None:
    with pytest.raises(TemplateProblem, match=r"mine\.jinja:2: template syntax: .*\{% raw %\}"):
        template_of(tmp_path, source)


@pytest.mark.parametrize(
    "source",
    [
        "{% include 'plain' %}",
        "{% import 'a' as a %}",
        "{% from 'a' import b %}",
        "{% extends 'a' %}",
    ],
)
def test_templates_stand_alone(tmp_path: Path, source: str) -> None:
    with pytest.raises(TemplateProblem, match=r"mine\.jinja:1: .*include, import or extend"):
        template_of(tmp_path, source)


@pytest.mark.parametrize(
    "part", ["", "..", ".", "a/b", "a\\b", "/etc", "a\0b", "é", "-a", "a" * 101]
)
def test_a_name_cannot_leave_its_folder(tmp_path: Path, part: str) -> None:
    for names in ((part, "en", "plain"), (RECIPE, part, "plain"), (RECIPE, "en", part)):
        with pytest.raises(TemplateProblem, match="is no template name"):
            load_template(*names, overrides=tmp_path)


def test_a_missing_template_lists_those_there_are() -> None:
    with pytest.raises(TemplateProblem, match="few-shot, grammar, plain, schema"):
        load_template(RECIPE, "en", "nope")


def test_overrides_come_first_and_fall_back(tmp_path: Path) -> None:
    place = tmp_path / RECIPE / "en"
    place.mkdir(parents=True)
    (place / "plain.jinja").write_text("Mine: {{ text }}", encoding="utf-8")
    mine = load_template(RECIPE, "en", "plain", overrides=tmp_path)
    shipped = load_template(RECIPE, "en", "plain")
    assert mine.render(text="x") == "Mine: x"
    assert mine.source_hash != shipped.source_hash
    fallen_back = load_template(RECIPE, "en", "grammar", overrides=tmp_path)
    assert fallen_back == load_template(RECIPE, "en", "grammar")


def test_the_hash_follows_all_that_shapes_the_prompt(tmp_path: Path) -> None:
    place = tmp_path / RECIPE / "en"
    place.mkdir(parents=True)
    shipped = load_template(RECIPE, "en", "few-shot")
    (place / "example.json").write_text(
        '{"title": "t", "text": "x", "summary": "s", "turns": [{"speaker": "bot", "text": "b"}]}',
        encoding="utf-8",
    )
    changed = load_template(RECIPE, "en", "few-shot", overrides=tmp_path)
    assert len(shipped.source_hash) == 64
    assert changed.source_hash != shipped.source_hash
    assert load_template(RECIPE, "en", "few-shot").source_hash == shipped.source_hash


def test_a_template_that_is_not_utf8(tmp_path: Path) -> None:
    place = tmp_path / "recipe" / "en"
    place.mkdir(parents=True)
    (place / "mine.jinja").write_bytes(b"\xff\xfe")
    with pytest.raises(TemplateProblem, match="is not UTF-8"):
        load_template("recipe", "en", "mine", overrides=tmp_path)
