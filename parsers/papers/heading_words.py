"""The words headings are recognised by, English and Chinese, for each section type.

The seven types are those of PaperPersiChat: related work counts as background,
discussion and conclusion as results, data and evaluation as experiments.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from .model import SectionType

# Whole headings, case-folded, without numbering.
WHOLE_HEADINGS: Mapping[SectionType, tuple[str, ...]] = MappingProxyType(
    {
        "abstract": ("abstract", "摘要", "中文摘要", "英文摘要", "提要"),
        "introduction": (
            "introduction", "introductions", "intro", "motivation",
            "引言", "前言", "绪论", "緒論", "导论", "導論", "导言", "简介", "介绍",
            "绪言", "引论", "概述",
        ),
        "background": (
            "background", "related work", "related works", "related research", "related studies",
            "related literature", "literature review", "prior work", "previous work",
            "preliminaries", "state of the art",
            "相关工作", "相關工作", "相关研究", "研究背景", "背景", "文献综述", "预备知识",
            "研究现状",
        ),
        "methodology": (
            "method", "methods", "methodology", "approach", "our approach", "our method",
            "proposed method", "proposed approach", "proposed model", "model", "models",
            "our model", "architecture", "algorithm", "materials and methods",
            "methods and materials", "materials & methods",
            "方法", "研究方法", "本文方法", "模型", "算法", "材料与方法", "模型与方法",
        ),
        "experiments": (
            "experiment", "experiments", "experimental setup", "experimental settings",
            "experimental evaluation", "evaluation", "setup", "data", "dataset", "datasets",
            "实验", "實驗", "实验设置", "實驗設置", "数据集", "评估", "评测",
        ),
        "results": (
            "result", "results", "discussion", "discussions", "conclusion", "conclusions",
            "concluding remarks", "analysis", "findings", "summary", "future work", "limitations",
            "results and discussion", "discussion and conclusion",
            "conclusion and future work", "conclusions and future work",
            "结果", "結果", "讨论", "討論", "结论", "結論", "总结", "總結", "结语", "结束语",
            "分析", "展望", "实验结果", "實驗結果", "结果与讨论", "结果与分析",
            "总结与展望", "结论与展望",
        ),
        "acknowledgement": (
            "acknowledgement", "acknowledgements", "acknowledgment", "acknowledgments", "funding",
            "致谢", "致謝", "鸣谢", "謝辭", "基金项目", "资助", "利益冲突", "作者贡献",
        ),
    }
)  # fmt: skip

# Those that end what went before also inside another section ("Experiments ::: Results").
DECISIVE_HEADINGS = frozenset(
    {
        "related work", "related works", "results", "discussion", "results and discussion",
        "conclusion", "conclusions", "acknowledgement", "acknowledgements", "acknowledgment",
        "acknowledgments", "相关工作", "相關工作", "结果", "結果", "讨论", "討論", "结论", "結論",
        "结果与讨论", "致谢", "致謝",
    }
)  # fmt: skip

# Pieces of headings, as regular expressions; English ones stand between word boundaries.
ENGLISH_KEYWORDS: Mapping[SectionType, tuple[str, ...]] = MappingProxyType(
    {
        "introduction": ("introduction",),
        "background": (
            r"backgrounds?", r"related (?:works?|research|literature|studies)",
            r"(?:prior|previous) (?:work|art|research|studies)",
            r"literature (?:review|survey)s?", "preliminaries",
            "state of the art", "state-of-the-art",
        ),
        "methodology": (
            r"methods?", r"methodolog(?:y|ies)", r"approach(?:es)?", r"models?", r"modell?ing",
            r"architectures?", r"frameworks?", r"algorithms?", "materials", r"procedures?",
            r"techniques?", "system (?:design|overview)", r"implementations?",
        ),
        "experiments": (
            r"experiment(?:s|al)? (?:design|method|procedure)s?", r"experiment(?:s|al|ation)?",
            "experiment(?:al)? methodology",
            r"evaluations? (?:framework|method|procedure|protocol|approach|setting)s?",
            "evaluation methodology", r"evaluations?", "evaluating",
            r"datasets?", r"data sets?", "data", "corpus", "corpora", "set-?up", r"settings?",
            "implementation details", r"baselines?", r"benchmarks?", "metrics",
        ),
        "results": (
            r"results?", r"discussions?", r"conclusions?", "concluding", r"findings?", "analysis",
            "analyses", r"ablations?", r"future (?:work|directions?|research)", r"limitations?",
            "outlook", "lessons learned",
        ),
        "acknowledgement": (
            r"acknowledge?ments?", "funding", r"(?:author|authors'|authors’) contributions?",
            r"(?:conflicts?|declaration) of (?:competing )?interests?", "competing interests?",
            "data availability", "availability of data",
        ),
    }
)  # fmt: skip

CHINESE_KEYWORDS: Mapping[SectionType, tuple[str, ...]] = MappingProxyType(
    {
        "introduction": ("引言", "前言", "绪论", "緒論", "导论", "導論", "导言"),
        "background": (
            "相关工作", "相關工作", "相关研究", "相關研究", "背景", "综述", "綜述", "研究现状",
            "研究現狀", "预备知识", "基础知识", "理论基础",
        ),
        "methodology": (
            "方法", "模型", "算法", "演算法", "架构", "架構", "框架", "方案", "系统设计",
            "系統設計", "技术路线",
        ),
        "experiments": (
            "实验", "實驗", "试验", "評估", "评估", "评测", "評測", "数据", "數據", "資料集",
            "语料", "語料", "设置", "設置", "基线", "基線", "实现细节", "测试", "測試",
        ),
        "results": (
            "结果", "結果", "讨论", "討論", "结论", "結論", "总结", "總結", "小结", "结语", "結語",
            "分析", "展望", "局限", "消融",
        ),
        "acknowledgement": (
            "致谢", "致謝", "鸣谢", "鳴謝", "利益冲突", "利益衝突", "作者贡献", "基金",
        ),
    }
)  # fmt: skip

BIBLIOGRAPHY_HEADINGS = frozenset(
    {
        "references", "reference", "bibliography", "works cited", "literature cited",
        "references cited", "参考文献", "參考文獻", "引用文献",
    }
)  # fmt: skip

APPENDIX_STARTS = ("appendix", "appendices", "annex", "supplementary", "附录", "附錄")
