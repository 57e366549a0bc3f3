"""Section types from headings, and how they are carried over."""

from __future__ import annotations

import pytest

from parsers.papers import Heading, carry_forward, classify_heading

HEADINGS = {
    "abstract": [
        "Abstract",
        "ABSTRACT.",
        "摘要",
        "A B S T R A C T",
        "<bold>Abstract</bold>",
        "摘 要",
    ],
    "introduction": [
        "1 Introduction",
        "I. INTRODUCTION",
        "1. Introduction and Motivation",
        "引言",
        "第一章 绪论",
        "一、前言",
        "1引言",
        "１\u3000引言",
    ],
    "background": [
        "Related Work",
        "2.1 Related works",
        "Background and Notation",
        "相关工作",
        "Literature Review",
        "Background: Pretrained Transformers",
        "2 研究背景",
        "国内外研究现状",
    ],
    "methodology": [
        "Methods",
        "3. Our Approach",
        "MATERIALS AND METHODS",
        "Model 2.1 Overview",
        "Model Architecture",
        "第3章 方法",
        "三、模型结构",
        "The Proposed Algorithm",
        "Materials <italic>and</italic> Methods",
        "（二）研究方法",
    ],
    "experiments": [
        "Experiments",
        "4 Experimental Setup",
        "Dataset and Evaluation",
        "实验设置",
        "SCIDOCS Evaluation Framework",
        "Implementation Details",
        "数据集",
        "Experiment methodology",
    ],
    "results": [
        "Results",
        "5 dIscussIon",
        "Conclusion and Future Work",
        "Experimental Results",
        "Discussions, Conclusions and Future Directions",
        "Error Analysis",
        "实验结果与分析",
        "结论",
        "五、总结与展望",
        "討論",
        "Limitations",
    ],
    "acknowledgement": [
        "Acknowledgments",
        "ACKNOWLEDGMENTS AND FUNDING",
        "致谢",
        "Acknowledgement:",
        "Author contributions",
        "Conflict of Interest",
        "利益冲突",
    ],
}


@pytest.mark.parametrize(
    ("heading", "expected"),
    [(heading, kind) for kind, headings in HEADINGS.items() for heading in headings],
)
def test_known_headings(heading: str, expected: str) -> None:
    assert classify_heading(heading) == expected


@pytest.mark.parametrize(
    "heading",
    [
        "",
        "Node Types",
        "ELMo ELMo",
        ":",
        "Table 3: Results of the models",
        "图2 实验结果",
        "Socks",
        "Figure 1. Experimental setup",
        "Structure of The Literature Graph",
        "x" * 5000,
        "袜子",
        "4.2",
        "We show that results of our model on data from many homes are better than ever before",
    ],
)
def test_headings_that_name_no_type(heading: str) -> None:
    assert classify_heading(heading) is None


def types(*headings: Heading | str) -> list[str]:
    return list(carry_forward(h if isinstance(h, Heading) else Heading(h) for h in headings))


@pytest.mark.parametrize(
    ("headings", "expected"),
    [
        (["Socks", "Results", "Left", ""], ["introduction", "results", "results", "results"]),
        (["Abstract", "Socks"], ["abstract", "introduction"]),
        (["Summary", "Method", "Summary"], ["abstract", "methodology", "results"]),
        (["2 Related Work", "2.1 Neural models"], ["background", "background"]),
        (["4 Experiments", "4.1 Results", "4.2 Left"], ["experiments", "results", "experiments"]),
        (["3 Socks", "3.1 Model"], ["introduction", "methodology"]),
        (
            ["Results", "Acknowledgements", "Appendix A", "Left"],
            ["results", "acknowledgement", "results", "results"],
        ),
        (
            ["相关工作", "袜子", "方法", "手套"],
            ["background", "background", "methodology", "methodology"],
        ),
    ],
    ids=["carry", "after-abstract", "summary", "number", "decisive", "weak", "appendix", "chinese"],
)
def test_carrying_forward(headings: list[str], expected: list[str]) -> None:
    assert types(*headings) == expected


@pytest.mark.parametrize(
    ("heading", "expected"),
    [
        (Heading("Analysis", ("METHODS",)), "methodology"),
        (Heading("Cell culture", ("MATERIALS AND METHODS", "Cells")), "methodology"),
        (Heading("Left", ("Socks", "Experiments")), "experiments"),
        (Heading("Results", ("Experiments",)), "results"),
        (Heading("Model", fixed="background"), "background"),
    ],
    ids=["parent-over-word", "outermost", "inner-parent", "decisive", "stated"],
)
def test_parents_and_stated_types(heading: Heading, expected: str) -> None:
    assert types(heading) == [expected]
