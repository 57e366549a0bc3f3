"""The words with which anybody asks about a paper, whatever it says."""

from __future__ import annotations

from parsers.text.content import known_units

_ENGLISH = """
    what how why which who whom whose when where
    about able account achieve achieved actual actually add additional address advantage affect
    aim allow amount analyse analysis analyze answer application applied apply approach argue
    article ask aspect assess assume attempt author average avoid available
    base based baseline become begin behave behaviour behavior believe benefit best better big
    build built call called case category cause certain challenge change characteristic check
    choice choose chosen claim clarify class clear come common compare compared comparison complete
    complex component compute concept conclude conclusion condition conduct consider consist
    contain context contribute contribution control cost cover create criterion current
    data dataset datasets day deal decide decision define definition demonstrate depend describe
    description design detail determine develop difference different difficult directly discuss
    distinguish do document
    early easy effect effective effectively efficient employ enable end ensure entire error
    especially establish estimate evaluate evaluated evaluation evidence exact exactly example
    expect experiment explain explanation explore express extend extent
    face factor fail fast feature field figure final find finding first fit focus follow form
    found frequent full function further future
    gain general generate get give given go goal good group
    handle happen hard help hear high higher highlight hope hypothesis
    idea identify impact implement implication importance important improve improvement include
    increase indicate influence information input inside instance instead interest interesting
    introduce investigate involve issue
    keep key kind know known
    large larger last late later lead learn learned least length let level like limit limitation
    limited line list little long look lose low lower
    main major make manage many mean meaning measure mechanism mention method methodology metric
    mind mode model models motivate motivation
    name necessary need new next notice number
    objective observe obtain occur offer old open operate opinion order original output overall
    own
    paper parameter part participant particular people perform performance period person phase
    place play please point possible potential practical practice predict present previous primary
    principle prior problem procedure process produce project proof propose proposed prove provide
    publish purpose put
    quality question quick quickly quite
    raise range rate reach read real reason receive recent reduce refer regard related relation
    relationship relevant rely remain remove report represent require requirement research
    researcher resource respect result results return reveal review right role run
    same sample say scale scenario scope score section see seem select sense set setting setup
    several share short show side significance significant similar simple single situation size
    slow small solution solve sort source special specific specifically speed stage standard start
    state stay step still stop strategy strength structure study subject success successful
    suggest summary support sure system
    table take talk target task technique tell term test tested text than thing think time tool
    top topic total train trained training treat true try turn type typical
    understand unique use used useful user usual
    valid validate value variable variety various vary version view
    want way weak weakness well wide within without wonder word work world worth write
    year
    learning rate batch layer layers loss epoch epochs hyperparameter hyperparameters
    one two three four five six seven eight nine ten once twice first second third half
    percent percentage
"""

ENGLISH_QUESTION_WORDS = frozenset(_ENGLISH.split())

_CHINESE = (
    "什么 怎么 怎样 如何 为何 为什么 哪些 哪个 哪种 哪里 哪方面 多少 多大 多长 多久 多快 多高 "
    "是否 能否 可否 "
    "是不是 有没有 能不能 会不会 何时 谁 几个 几种 请问 解释 说明 介绍 描述 告诉 具体 详细 主要 "
    "关键 重要 核心 "
    "论文 文章 文中 本文 作者 研究 方法 方案 模型 系统 算法 技术 结果 结论 实验 数据 数据集 评估 "
    "评价 测试 训练 "
    "比较 对比 相比 区别 不同 差异 优点 缺点 优势 劣势 局限 局限性 不足 限制 改进 提高 提升 降低 "
    "减少 增加 影响 "
    "原因 目的 目标 作用 功能 意义 贡献 创新 应用 场景 使用 采用 利用 通过 实现 设计 提出 解决 "
    "处理 问题 挑战 "
    "任务 过程 步骤 流程 阶段 部分 结构 组成 包括 包含 需要 要求 条件 情况 方面 因素 特点 特征 "
    "性能 效果 效率 "
    "速度 成本 时间 数量 大小 规模 范围 程度 类型 种类 例子 例如 比如 可以 能够 可能 应该 进行 "
    "表现 表示 认为 "
    "发现 得到 获得 达到 产生 导致 带来 选择 确定 判断 分析 计算 测量 衡量 指标 标准 参数 输入 "
    "输出 信息 内容 "
    "之间 之前 之后 以及 还有 其他 另外 目前 未来 最后 首先 除了 对于 关于 根据 基于 针对 相关 "
    "一般 通常 是怎 "
    "样本 用户 参与 来源 定义 概念 关系 原理 机制 策略 工作 领域 背景 动机 假设 证明 验证 支持 "
    "工具 平台 最终 "
    "生效 有效 准确 误差 错误 失败 成功 简单 复杂 困难 容易 更好 最好 最大 最小 平均 总共 一共 "
    "每个 每次 多次"
)

CHINESE_QUESTION_UNITS = frozenset(
    unit for word in _CHINESE.split() for unit in known_units(word) if len(unit) > 1
)

CHINESE_QUESTION_CHARACTERS = frozenset(
    "什么怎哪谁吗呢何多少几是否有没能会可以要想请问为对从到被让给最更很个种些次这那一不"
)
"""A pair with one of these is a seam of a question ("器多" in "传感器多久"), not a word."""

ROUND_NUMBERS = frozenset([*map(str, range(11)), "50", "100", "1000"])
"""Numbers anybody may say."""
