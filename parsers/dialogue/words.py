"""The label words the default vocabulary knows, by language and by what they announce.

The words are what chat models write before an utterance when they are asked for a dialogue in
that language, collected from published prompts, corpora and interfaces. Spelling variants that
differ only in case, width or spacing need no entry of their own.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class LanguageWords:
    """Label words of one language (`language` is a BCP 47 tag, or a name for custom words).

    `person` and `bot` settle the role by themselves. `asker` and `teller` only suggest it: a
    professor may also quiz a student, so what the speakers really do weighs more. `speaker`
    words name a participant without any role. `narration` are scene and stage lines, `field`
    is what a script states at its head (title, place), `note` closing or side remarks, `header` counts the exchanges, `dialogue` announces a dialogue,
    `prompt` are fields of an instruction, and `topic` are words that head a list or a remark
    inside an utterance and are never speakers.
    """

    language: str
    person: tuple[str, ...] = ()
    bot: tuple[str, ...] = ()
    asker: tuple[str, ...] = ()
    teller: tuple[str, ...] = ()
    speaker: tuple[str, ...] = ()
    summary: tuple[str, ...] = ()
    question: tuple[str, ...] = ()
    answer: tuple[str, ...] = ()
    narration: tuple[str, ...] = ()
    field: tuple[str, ...] = ()
    note: tuple[str, ...] = ()
    header: tuple[str, ...] = ()
    dialogue: tuple[str, ...] = ()
    prompt: tuple[str, ...] = ()
    topic: tuple[str, ...] = ()


def _split(words: str) -> tuple[str, ...]:
    return tuple(word.strip() for word in words.split(",") if word.strip())


ENGLISH = LanguageWords(
    language="en",
    person=_split(
        "person, other person, another person, other, the other person, user, human, reader, "
        "questioner, asker, other party, second person, curious reader, human user, end user, "
        "enquirer, inquirer"
    ),
    bot=_split(
        "bot, you, me, i, myself, yourself, assistant, ai, chatbot, chat bot, model, "
        "ai assistant, gpt, chatgpt, gpt-4, llm, language model, answerer, responder, "
        "respondent, ai model, agent, virtual assistant, system response, response, reply, "
        "robot, machine"
    ),
    asker=_split(
        "interviewer, student, host, client, patient, customer, journalist, reporter, learner, "
        "listener, novice, beginner, pupil, seeker, visitor, moderator, audience, audience member, "
        "layperson, colleague, friend, undergraduate, newcomer, presenter host, caller"
    ),
    teller=_split(
        "claude, gemini, llama, qwen, mistral, author, professor, teacher, guest, expert, scientist, researcher, interviewee, "
        "counselor, counsellor, therapist, doctor, speaker guest, presenter, tutor, instructor, "
        "lecturer, mentor, advisor, adviser, specialist, first author, lead author, writer, "
        "the author, paper author, guide, explainer, paper, narrating author, consultant, "
        "librarian"
    ),
    speaker=_split("speaker, participant, party, voice, interlocutor, character, side"),
    summary=_split(
        "summary, abstract, tl;dr, tldr, overview, synopsis, summarization, summarisation, "
        "recap, gist, the summary, first utterance, opening, opening statement, "
        "sum up"
    ),
    question=_split("question, q, query, ques, follow-up question, follow up question, follow-up"),
    answer=_split("answer, a, ans"),
    narration=_split("scene, setting, narrator, narration, stage direction"),
    field=_split("title, topic, context, location, participants, characters, speakers, cast, date, subject, background music, dialogue title"),
    note=_split(
        "note, notes, disclaimer, ps, p.s., please note, word count, total words, author's note, "
        "editor's note, comment, explanation, remark, nb, n.b., token count, character count"
    ),
    header=_split(
        "turn, round, exchange, pair, qa, q&a, q/a, qa pair, q&a pair, question-answer pair, "
        "dialogue turn, step turn, interaction, questions, answers, questions and answers, "
        "question and answer, q & a, utterance, part"
    ),
    dialogue=_split(
        "dialogue, dialog, conversation, transcript, the dialogue, the conversation, discussion, "
        "chat, interview, example dialogue, sample dialogue, generated dialogue, full dialogue, "
        "example conversation, dialogue example"
    ),
    prompt=_split(
        "prompt, system prompt, paper text, text of the paper, input text, source text, article "
        "text, profile, profiles, persona profile, user profile, user prompt, system message, "
        "output format, personas, persona description, system instruction, system instructions"
    ),
    topic=_split(
        "instruction, instructions, system, task, guidelines, constraints, requirements, result, results, time, space, example, input, output, step, accuracy, recall, "
        "data, dataset, datasets, method, methods, model, models, training, testing, evaluation, "
        "advantage, advantages, disadvantage, disadvantages, limitation, limitations, conclusion, "
        "background, first, second, third, fourth, finally, pros, cons, definition, formula, "
        "equation, theorem, proof, lemma, table, figure, algorithm, hypothesis, source, warning, "
        "caution, tip, hint, caveat, reason, cause, effect, purpose, goal, objective, key, main, "
        "overall, however, therefore, thus, namely, also, remember, important, ingredients, "
        "materials, examples, steps, features, benefits, drawbacks, option, options, case, "
        "phase, stage, level, type, size, speed, cost, score, metric, metrics, baseline, loss, "
        "parameters, rate, value, total, average, mean, median, cpu, gpu, ram, memory, "
        "hardware, software, code, url, link, reference, references, see, keywords, findings, "
        "contribution, contributions, motivation, problem, solution, approach, setup, "
        "claim, evidence, fact, observation, quote, answer key, correct, wrong, true, false, "
        "yes, no, sure, well, ok, okay, right, indeed, sorry, hello, hi, thanks, above, below, "
        "before, after, then, next, last, but, and, so, or, if, because, since, while, when, "
        "where, why, how, what, which, who, version, name, price, weight, height, length, width, "
        "depth, distance, temperature, monday, tuesday, wednesday, thursday, friday, saturday, "
        "sunday, http, https, ftp, doi, isbn, arxiv, email, address, phone, english, chinese, "
        "french, german, spanish, short answer, long answer, tl, encoder, decoder, layer, hint, "
        "bonus, extra, summary table, hyperparameters, batch, epoch, learning rate, f1, bleu, "
        "rouge, quick note, side note, fun fact, pro tip, bottom line, spoiler, edit, update"
    ),
)

CHINESE = LanguageWords(
    language="zh",
    person=_split(
        "对方, 用户, 提问者, 读者, 另一个人, 另一人, 另一方, 他人, 其他人, 别人, 人类, 提问人, 提问方, "
        "發問者, 提問者, 讀者, 用戶, 使用者, 對方, 人類, 另一個人, 问者, 用户提问, 另一位, 另一位用户"
    ),
    bot=_split(
        "我, 你, 助手, 机器人, 回答者, 人工智能, 模型, 助理, ai助手, 智能助手, ai, 回答人, 解答者, "
        "機器人, 答者, 小助手, 聊天机器人, 語言模型, 语言模型, 本人, 回复, 回覆, 应答者, 客服, 大模型"
    ),
    asker=_split(
        "采访者, 学生, 主持人, 来访者, 患者, 记者, 听众, 客户, 同学, 學生, 訪問者, 采访人, 學員, 学员, "
        "病人, 顾客, 观众, 主持, 来询者, 求助者, 咨询者, 朋友, 同事"
    ),
    teller=_split(
        "作者, 教授, 老师, 嘉宾, 专家, 研究者, 研究员, 受访者, 咨询师, 心理咨询师, 医生, 導師, 导师, "
        "老師, 專家, 來賓, 科学家, 论文作者, 第一作者, 讲者, 主讲人, 博士, 讲解者, 解说员, 顾问, 被采访者"
    ),
    speaker=_split("甲, 乙, 丙, 丁, 说话人, 发言人, 發言人, 说话者, 人物, 角色, 甲方, 乙方"),
    summary=_split(
        "总结, 摘要, 概述, 概要, 小结, 简介, 综述, 總結, 簡介, 总述, 内容摘要, 论文摘要, 文章摘要, 简短总结, "
        "简要总结, 论文总结, 文章总结, 内容概述, 文章概述, 论文概述, 开场白, 摘要总结, 概括, 内容概要, "
        "简短摘要, 简要概述, 論文摘要, 簡短摘要, 梗概, 全文摘要, 本文摘要"
    ),
    question=_split("问, 问题, 提问, 問, 問題, 提問, 疑问, 追问"),
    answer=_split("答, 回答, 答案, 答复, 解答, 答覆, 作答"),
    narration=_split("场景, 旁白, 場景"),
    field=_split("背景, 地点, 时间地点, 人物介绍, 参与者, 标题, 主题, 題目, 题目, 對話主題, 对话主题, 对话标题, 话题"),
    note=_split(
        "注, 备注, 说明, 注意, 备註, 附注, 註, 字数, 字數, 字数统计, 声明, 免责声明, 提示, 补充说明, 注释"
    ),
    header=_split("轮, 回合, 轮次, 问答, 问答对, 对话轮次, 輪, 問答, 回, 组, 对, 问题列表, 轮对话"),
    dialogue=_split(
        "对话, 會話, 会话, 對話, 对话如下, 对话内容, 对话开始, 对话记录, 谈话, 访谈, 聊天记录, 对话示例, 示例对话, "
        "问答对话"
    ),
    prompt=_split("提示词, 系统提示, 系统提示词, 论文内容, 输入文本, 用户画像, 论文原文, 人物设定"),
    topic=_split(
        "指令, 任务, 要求, 系统, 原文, 示例, 例子, 结果, 例如, 比如, 时间, 输入, 输出, 方法, 优点, 缺点, 首先, 其次, 最后, 第一, 第二, 第三, 步骤, 数据, "
        "数据集, 模型结构, 准确率, 精度, 召回率, 结论, 原因, 目的, 目标, 公式, 定义, 定理, 证明, 图, 表, 来源, "
        "参考文献, 链接, 即, 也就是说, 换句话说, 总之, 因此, 但是, 其中, 包括, 如下, 如, 例, 結果, 輸入, 輸出, "
        "優點, 缺點, 材料, 特点, 特征, 功能, 作用, 局限, 局限性, 不足, 贡献, 背景知识, 训练, 测试, 评估, "
        "速度, 成本, 大小, 名称, 网址, 日期, 地址, 是的, 不是, 好的, 当然, 简单来说, 具体来说, 另外, 此外, 即是"
    ),
)

JAPANESE = LanguageWords(
    language="ja",
    person=_split(
        "質問者, ユーザー, ユーザ, 読者, 相手, 利用者, 人間, 人, 他の人, 聞き手, もう一人, 相手の人"
    ),
    bot=_split(
        "回答者, アシスタント, ボット, ai, 私, あなた, 僕, モデル, aiアシスタント, 応答者, 回答ai, "
        "チャットボット, わたし"
    ),
    asker=_split("学生, インタビュアー, 司会, 司会者, 生徒, 記者, 患者, 聴衆, ホスト, 初心者"),
    teller=_split("著者, 教授, 先生, 専門家, 研究者, ゲスト, 博士, 医師, 講師, 筆者, 解説者"),
    speaker=_split("話者, 発話者, 人物, 話し手"),
    summary=_split(
        "要約, 概要, まとめ, 要旨, 論文の要約, 論文要約, 短い要約, サマリー, 要約文, 抄録"
    ),
    question=_split("質問, 問, 問い, 問題"),
    answer=_split("回答, 答え, 答, 返答, 解答, 応答"),
    narration=_split("場面, ナレーション, ナレーター"),
    field=_split("場所, 登場人物, タイトル, 題名, テーマ"),
    note=_split("注, 注意, 備考, 注記, 補足, 文字数, 注釈"),
    header=_split("ターン, ラウンド, 質疑応答, やりとり, 一問一答"),
    dialogue=_split("対話, 会話, ダイアログ, 対話例, 会話例, 対話文"),
    prompt=_split("プロンプト, 入力文, 論文本文, システムプロンプト"),
    topic=_split(
        "結果, 例, 例えば, 入力, 出力, 時間, 方法, 利点, 欠点, 手順, データ, 結論, 理由, 目的, 材料, 速度, 精度"
    ),
)

KOREAN = LanguageWords(
    language="ko",
    person=_split("질문자, 사용자, 독자, 상대방, 사람, 유저, 다른 사람, 상대, 인간, 이용자, 타인"),
    bot=_split(
        "답변자, 어시스턴트, 봇, 챗봇, 나, 저, 당신, 인공지능, ai, 모델, 응답자, 도우미, 비서, 너, 조수"
    ),
    asker=_split("학생, 인터뷰어, 진행자, 기자, 환자, 청중, 호스트, 고객, 내담자, 면접관"),
    teller=_split(
        "저자, 교수, 선생님, 전문가, 연구원, 게스트, 박사, 의사, 상담사, 강사, 연구자, 선생"
    ),
    speaker=_split("화자, 발화자, 참가자, 인물, 참여자"),
    summary=_split("요약, 개요, 초록, 논문 요약, 간단한 요약, 짧은 요약, 요약문"),
    question=_split("질문, 문, 물음, 질의"),
    answer=_split("답변, 답, 대답, 응답"),
    narration=_split("장면, 내레이션, 해설"),
    field=_split("배경, 장소, 제목, 주제, 등장인물"),
    note=_split("참고, 주의, 비고, 주, 메모, 글자 수, 노트, 설명"),
    header=_split("턴, 라운드, 회차, 질의응답, 문답"),
    dialogue=_split("대화, 대화문, 대화 내용, 회화, 다이얼로그, 대화 예시"),
    prompt=_split("지시사항, 프롬프트, 입력 텍스트, 논문 내용, 시스템 프롬프트"),
    topic=_split(
        "결과, 예, 예를 들어, 입력, 출력, 시간, 방법, 장점, 단점, 단계, 데이터, 결론, 이유, 목적, 재료, 속도"
    ),
)

RUSSIAN = LanguageWords(
    language="ru",
    person=_split(
        "человек, пользователь, читатель, собеседник, другой человек, спрашивающий, юзер, другой, "
        "второй человек, задающий вопрос"
    ),
    bot=_split(
        "бот, ассистент, я, ты, вы, помощник, ии, робот, модель, отвечающий, чат-бот, чатбот, "
        "нейросеть, языковая модель"
    ),
    asker=_split(
        "студент, интервьюер, ведущий, журналист, пациент, слушатель, клиент, ученик, корреспондент"
    ),
    teller=_split(
        "автор, профессор, учитель, эксперт, исследователь, гость, учёный, ученый, преподаватель, "
        "доктор, врач, специалист, лектор"
    ),
    speaker=_split("говорящий, участник, спикер, персонаж"),
    summary=_split(
        "резюме, краткое содержание, аннотация, краткое изложение, обзор, краткое резюме, "
        "саммари, сводка, краткий обзор"
    ),
    question=_split("вопрос, в"),
    answer=_split("ответ, о"),
    narration=_split("сцена, рассказчик"),
    field=_split("место действия, обстановка, тема, название, заголовок"),
    note=_split("примечание, заметка, замечание, количество слов, прим., внимание, пояснение"),
    header=_split("раунд, реплика, ход, пара, вопросы и ответы, обмен"),
    dialogue=_split("диалог, разговор, беседа, интервью, пример диалога"),
    prompt=_split("промпт, текст статьи, исходный текст, системный промпт"),
    topic=_split(
        "результат, результаты, время, вход, выход, метод, данные, вывод, причина, цель, шаг, "
        "преимущества, недостатки, например, источник, формула, скорость, точность, ингредиенты"
    ),
)

GERMAN = LanguageWords(
    language="de",
    person=_split(
        "person, andere person, benutzer, nutzer, mensch, leser, leserin, fragesteller, "
        "fragestellerin, anwender, nutzerin, gesprächspartner, die andere person, der andere, "
        "benutzerin, anderer, andere"
    ),
    bot=_split(
        "bot, assistent, assistentin, ki, ki-assistent, chatbot, modell, sprachmodell, antwortender, antwortgeber"
    ),
    asker=_split(
        "student, studentin, interviewer, interviewerin, moderator, moderatorin, journalist, "
        "journalistin, patient, schüler, schülerin, zuhörer, kunde, gastgeber"
    ),
    teller=_split(
        "du, ich, sie, autor, autorin, professor, professorin, lehrer, lehrerin, experte, expertin, forscher, "
        "forscherin, gast, wissenschaftler, wissenschaftlerin, arzt, dozent, fachmann"
    ),
    speaker=_split("sprecher, sprecherin, teilnehmer, teilnehmerin"),
    summary=_split(
        "zusammenfassung, überblick, kurzfassung, kurze zusammenfassung, übersicht, "
        "kurzzusammenfassung, resümee"
    ),
    question=_split("frage, f"),
    answer=_split("antwort"),
    narration=_split("szene, erzähler, regieanweisung"),
    field=_split("ort, titel, thema, schauplatz"),
    note=_split("hinweis, anmerkung, bemerkung, notiz, wortzahl, anm., wörter"),
    header=_split("runde, austausch, paar, fragen und antworten, gesprächsrunde"),
    dialogue=_split("dialog, gespräch, unterhaltung, konversation, beispieldialog"),
    prompt=_split("systemprompt, artikeltext, systemanweisung"),
    topic=_split(
        "ergebnis, ergebnisse, zeit, eingabe, ausgabe, methode, daten, schluss, grund, ziel, "
        "schritt, vorteile, nachteile, quelle, formel, beispiele, genauigkeit, zutaten, vorteil"
    ),
)

FRENCH = LanguageWords(
    language="fr",
    person=_split(
        "personne, autre personne, utilisateur, utilisatrice, humain, lecteur, lectrice, "
        "l'autre personne, interlocuteur, interlocutrice, questionneur, l'autre, une autre personne"
    ),
    bot=_split(
        "bot, assistant, assistante, ia, robot, modèle, l'assistant, assistant ia, répondeur, réponse de l'ia"
    ),
    asker=_split(
        "étudiant, étudiante, intervieweur, intervieweuse, animateur, animatrice, journaliste, "
        "patient, patiente, élève, auditeur, client, hôte, enquêteur"
    ),
    teller=_split(
        "vous, moi, toi, tu, je, auteur, auteure, autrice, professeur, professeure, enseignant, enseignante, expert, "
        "experte, chercheur, chercheuse, invité, invitée, scientifique, médecin, spécialiste"
    ),
    speaker=_split("locuteur, locutrice, intervenant, intervenante, participant, participante"),
    summary=_split(
        "résumé, sommaire, synthèse, aperçu, court résumé, bref résumé, résumé de l'article"
    ),
    question=_split("question"),
    answer=_split("réponse, r"),
    narration=_split("scène, narrateur, narratrice"),
    field=_split("lieu, titre, sujet, thème, décor"),
    note=_split("remarque, avertissement, nombre de mots, nb, précision, note de l'auteur"),
    header=_split("tour, échange, paire, questions et réponses, questions-réponses"),
    dialogue=_split("dialogue, conversation, entretien, exemple de dialogue"),
    prompt=_split("consigne, consignes, texte de l'article, texte source"),
    topic=_split(
        "résultat, résultats, temps, entrée, sortie, méthode, données, raison, but, étape, "
        "avantages, inconvénients, exemples, précision, ingrédients, objectif, avantage"
    ),
)

SPANISH = LanguageWords(
    language="es",
    person=_split(
        "persona, otra persona, usuario, usuaria, humano, humana, lector, lectora, otro, otra, "
        "la otra persona, interlocutor, preguntador"
    ),
    bot=_split(
        "bot, asistente, ia, robot, modelo, asistente de ia, asistente virtual, respondedor"
    ),
    asker=_split(
        "estudiante, entrevistador, entrevistadora, presentador, presentadora, periodista, "
        "paciente, alumno, alumna, oyente, cliente, anfitrión, anfitriona, moderador"
    ),
    teller=_split(
        "tú, yo, usted, tu, autor, autora, profesor, profesora, experto, experta, investigador, investigadora, "
        "invitado, invitada, científico, científica, médico, docente, especialista"
    ),
    speaker=_split("hablante, participante"),
    summary=_split(
        "resumen, sumario, síntesis, breve resumen, resumen breve, sinopsis, "
        "resumen del artículo, resumen corto"
    ),
    question=_split("pregunta, p"),
    answer=_split("respuesta, r"),
    narration=_split("escena, narrador, narradora"),
    field=_split("lugar, título, tema, escenario"),
    note=_split("nota, aviso, observación, recuento de palabras, comentario, aclaración"),
    header=_split("turno, ronda, intercambio, par, preguntas y respuestas"),
    dialogue=_split("diálogo, conversación, charla, entrevista, ejemplo de diálogo"),
    prompt=_split("texto del artículo, texto fuente"),
    topic=_split(
        "resultado, resultados, tiempo, entrada, salida, método, datos, conclusión, razón, "
        "objetivo, paso, ventajas, desventajas, fuente, fórmula, ejemplos, precisión, ingredientes"
    ),
)

PORTUGUESE = LanguageWords(
    language="pt",
    person=_split(
        "pessoa, outra pessoa, usuário, usuária, utilizador, humano, leitor, leitora, outro, outra, "
        "a outra pessoa, interlocutor"
    ),
    bot=_split("bot, assistente, ia, robô, modelo, assistente de ia"),
    asker=_split(
        "estudante, entrevistador, entrevistadora, apresentador, jornalista, aluno, aluna, "
        "paciente, ouvinte, anfitrião, cliente"
    ),
    teller=_split(
        "você, eu, tu, autor, autora, professor, professora, especialista, pesquisador, pesquisadora, "
        "convidado, convidada, cientista, médico, investigador"
    ),
    speaker=_split("falante, participante, orador"),
    summary=_split("resumo, sumário, síntese, breve resumo, resumo breve, resumo do artigo"),
    question=_split("pergunta, p"),
    answer=_split("resposta, r"),
    narration=_split("cena, narrador"),
    field=_split("local, título, tema, cenário"),
    note=_split("nota, observação, aviso, contagem de palavras, obs"),
    header=_split("turno, rodada, troca, par, perguntas e respostas"),
    dialogue=_split("diálogo, conversa, entrevista, exemplo de diálogo"),
    prompt=_split("texto do artigo, texto fonte"),
    topic=_split(
        "resultado, resultados, tempo, entrada, saída, método, dados, conclusão, razão, passo, vantagens"
    ),
)

ITALIAN = LanguageWords(
    language="it",
    person=_split(
        "persona, altra persona, utente, umano, lettore, lettrice, altro, altra, l'altra persona, "
        "un'altra persona, interlocutore"
    ),
    bot=_split("bot, assistente, ia, robot, modello, assistente ia"),
    asker=_split(
        "studente, studentessa, intervistatore, intervistatrice, conduttore, giornalista, "
        "paziente, ascoltatore, cliente, moderatore"
    ),
    teller=_split(
        "tu, io, lei, voi, autore, autrice, professore, professoressa, esperto, esperta, ricercatore, ricercatrice, "
        "ospite, scienziato, medico, insegnante, docente"
    ),
    speaker=_split("parlante, partecipante"),
    summary=_split("riassunto, sommario, sintesi, riepilogo, breve riassunto, breve sintesi"),
    question=_split("domanda, d"),
    answer=_split("risposta, r"),
    narration=_split("scena, narratore"),
    field=_split("luogo, titolo, tema, argomento, ambientazione"),
    note=_split("nota, osservazione, avviso, conteggio parole, commento"),
    header=_split("turno, giro, scambio, coppia, domande e risposte"),
    dialogue=_split("dialogo, conversazione, intervista, esempio di dialogo"),
    prompt=_split("testo dell'articolo, testo di partenza"),
    topic=_split(
        "risultato, risultati, tempo, ingresso, uscita, metodo, dati, conclusione, motivo, passo, vantaggi"
    ),
)

DUTCH = LanguageWords(
    language="nl",
    person=_split(
        "persoon, andere persoon, gebruiker, mens, lezer, vragensteller, ander, de ander"
    ),
    bot=_split("bot, assistent, ai, robot, model, ai-assistent"),
    asker=_split("student, interviewer, presentator, journalist, patiënt, leerling, luisteraar"),
    teller=_split(
        "jij, ik, u, jou, auteur, professor, leraar, expert, onderzoeker, gast, wetenschapper, docent, arts"
    ),
    speaker=_split("spreker, deelnemer"),
    summary=_split("samenvatting, overzicht, korte samenvatting, kort overzicht"),
    question=_split("vraag, v"),
    answer=_split("antwoord"),
    narration=_split("scène, verteller"),
    field=_split("plaats, titel, onderwerp"),
    note=_split("opmerking, let op, noot, woordenaantal"),
    header=_split("beurt, ronde, paar, vragen en antwoorden"),
    dialogue=_split("dialoog, gesprek, conversatie"),
)

POLISH = LanguageWords(
    language="pl",
    person=_split(
        "osoba, inna osoba, druga osoba, użytkownik, człowiek, czytelnik, pytający, rozmówca"
    ),
    bot=_split("bot, asystent, ai, model, robot, odpowiadający, asystent ai"),
    asker=_split("student, studentka, dziennikarz, prowadzący, pacjent, uczeń, słuchacz"),
    teller=_split(
        "ty, ja, autor, autorka, profesor, nauczyciel, ekspert, badacz, gość, naukowiec, lekarz"
    ),
    speaker=_split("mówca, uczestnik"),
    summary=_split("podsumowanie, streszczenie, krótkie streszczenie, skrót, omówienie"),
    question=_split("pytanie, p"),
    answer=_split("odpowiedź, o"),
    narration=_split("scena, narrator"),
    field=_split("miejsce, tytuł, temat"),
    note=_split("uwaga, notatka, liczba słów, przypis"),
    header=_split("runda, wymiana, para, pytania i odpowiedzi"),
    dialogue=_split("dialog, rozmowa, wywiad"),
)

TURKISH = LanguageWords(
    language="tr",
    person=_split(
        "kişi, diğer kişi, kullanıcı, insan, okuyucu, okur, soran, başka bir kişi, öteki kişi"
    ),
    bot=_split("bot, asistan, yapay zeka, yapay zekâ, model, robot, yanıtlayan, yardımcı"),
    asker=_split("öğrenci, sunucu, gazeteci, muhabir, hasta, dinleyici"),
    teller=_split(
        "sen, ben, siz, yazar, profesör, öğretmen, uzman, araştırmacı, konuk, bilim insanı, doktor"
    ),
    speaker=_split("konuşmacı, katılımcı"),
    summary=_split("özet, kısa özet, makale özeti, genel bakış"),
    question=_split("soru, s"),
    answer=_split("cevap, yanıt, c, y"),
    narration=_split("sahne, anlatıcı"),
    field=_split("yer, başlık, konu"),
    note=_split("not, dikkat, kelime sayısı, açıklama"),
    header=_split("tur, çift, sorular ve cevaplar"),
    dialogue=_split("diyalog, konuşma, sohbet"),
)

ARABIC = LanguageWords(
    language="ar",
    person=_split(
        "الشخص, شخص, المستخدم, مستخدم, القارئ, السائل, الشخص الآخر, شخص آخر, الآخر, إنسان, الإنسان"
    ),
    bot=_split(
        "البوت, بوت, المساعد, مساعد, أنا, أنت, الروبوت, النموذج, المجيب, الذكاء الاصطناعي, روبوت, "
        "المساعد الذكي"
    ),
    asker=_split("الطالب, طالب, المحاور, المذيع, الصحفي, المريض, المستمع"),
    teller=_split("المؤلف, الأستاذ, المعلم, الخبير, الباحث, الضيف, العالم, الطبيب, الكاتب"),
    speaker=_split("المتحدث, متحدث, المشارك"),
    summary=_split("ملخص, الملخص, خلاصة, الخلاصة, موجز, ملخص قصير, نبذة, ملخص موجز"),
    question=_split("سؤال, السؤال, س"),
    answer=_split("جواب, الجواب, إجابة, الإجابة, ج, الرد"),
    narration=_split("المشهد, الراوي"),
    field=_split("المكان, العنوان, الموضوع"),
    note=_split("ملاحظة, تنبيه, عدد الكلمات"),
    header=_split("جولة, دور, أسئلة وأجوبة"),
    dialogue=_split("حوار, الحوار, محادثة, المحادثة, مقابلة"),
)

HINDI = LanguageWords(
    language="hi",
    person=_split("व्यक्ति, उपयोगकर्ता, पाठक, दूसरा व्यक्ति, अन्य व्यक्ति, प्रश्नकर्ता, मानव, यूज़र, इंसान, यूजर"),
    bot=_split("बॉट, आप, मैं, सहायक, तुम, एआई, मॉडल, उत्तरदाता, रोबोट, असिस्टेंट"),
    asker=_split("छात्र, साक्षात्कारकर्ता, पत्रकार, विद्यार्थी, रोगी, श्रोता, मेज़बान"),
    teller=_split("लेखक, प्रोफेसर, शिक्षक, विशेषज्ञ, शोधकर्ता, अतिथि, वैज्ञानिक, डॉक्टर, प्रोफ़ेसर"),
    speaker=_split("वक्ता, प्रतिभागी"),
    summary=_split("सारांश, संक्षेप, सार, संक्षिप्त सारांश"),
    question=_split("प्रश्न, सवाल, प्र"),
    answer=_split("उत्तर, जवाब, उ"),
    narration=_split("दृश्य"),
    field=_split("स्थान, शीर्षक, विषय"),
    note=_split("नोट, टिप्पणी, ध्यान दें, शब्द संख्या"),
    header=_split("दौर, प्रश्नोत्तर"),
    dialogue=_split("संवाद, वार्तालाप, बातचीत"),
)

VIETNAMESE = LanguageWords(
    language="vi",
    person=_split(
        "người, người khác, người dùng, người hỏi, độc giả, người đọc, con người, đối phương"
    ),
    bot=_split("bot, trợ lý, ai, mô hình, người trả lời, trợ lý ai, máy"),
    asker=_split("sinh viên, người phỏng vấn, phóng viên, học sinh, bệnh nhân"),
    teller=_split(
        "bạn, tôi, tác giả, giáo sư, giáo viên, chuyên gia, nhà nghiên cứu, khách mời, bác sĩ"
    ),
    speaker=_split("người nói, người tham gia"),
    summary=_split("tóm tắt, bản tóm tắt, tóm lược, tổng quan, tóm tắt ngắn"),
    question=_split("câu hỏi, hỏi"),
    answer=_split("trả lời, đáp, câu trả lời"),
    narration=_split("cảnh"),
    field=_split("bối cảnh, tiêu đề, chủ đề"),
    note=_split("ghi chú, lưu ý, chú ý, số từ"),
    header=_split("lượt, vòng, hỏi đáp"),
    dialogue=_split("đối thoại, hội thoại, cuộc trò chuyện, cuộc hội thoại"),
)

OTHER_LANGUAGES = (
    LanguageWords(
        language="uk",
        person=_split("людина, користувач, читач, співрозмовник, інша людина"),
        bot=_split("бот, асистент, помічник, я, ви, ти, ші, модель"),
        asker=_split("студент, інтерв'юер, журналіст"),
        teller=_split("автор, професор, експерт, дослідник"),
        summary=_split("резюме, підсумок, короткий зміст, анотація, огляд"),
        question=_split("питання, запитання"),
        answer=_split("відповідь"),
        note=_split("примітка"),
        dialogue=_split("діалог, розмова"),
    ),
    LanguageWords(
        language="sv",
        person=_split("person, annan person, användare, människa, läsare"),
        bot=_split("bot, assistent, ai, modell"),
        asker=_split("student, intervjuare, journalist"),
        teller=_split("du, jag, författare, professor, lärare, expert, forskare"),
        summary=_split("sammanfattning, sammandrag, översikt"),
        question=_split("fråga"),
        answer=_split("svar"),
        note=_split("obs, anmärkning, notera"),
        dialogue=_split("dialog, samtal"),
    ),
    LanguageWords(
        language="da",
        person=_split("person, anden person, bruger, bruker, menneske, læser, leser"),
        bot=_split("bot, assistent, ai, model"),
        teller=_split("du, jeg"),
        summary=_split("resumé, resume, sammenfatning, sammendrag, opsummering, oppsummering"),
        question=_split("spørgsmål, spørsmål"),
        answer=_split("svar"),
        note=_split("bemærk, merk"),
        dialogue=_split("dialog, samtale"),
    ),
    LanguageWords(
        language="fi",
        person=_split("henkilö, toinen henkilö, käyttäjä, ihminen, lukija"),
        bot=_split("botti, avustaja, tekoäly, malli"),
        teller=_split("sinä, minä"),
        summary=_split("tiivistelmä, yhteenveto"),
        question=_split("kysymys"),
        answer=_split("vastaus"),
        note=_split("huomautus, huom"),
        dialogue=_split("dialogi, keskustelu, vuoropuhelu"),
    ),
    LanguageWords(
        language="cs",
        person=_split("osoba, jiná osoba, druhá osoba, uživatel, člověk, čtenář, používateľ"),
        bot=_split("bot, asistent, ai, model, robot"),
        teller=_split("ty, já"),
        summary=_split("shrnutí, souhrn, zhrnutie, přehled"),
        question=_split("otázka"),
        answer=_split("odpověď, odpoveď"),
        note=_split("poznámka"),
        dialogue=_split("dialog, rozhovor"),
    ),
    LanguageWords(
        language="el",
        person=_split("άτομο, άλλο άτομο, χρήστης, άνθρωπος, αναγνώστης"),
        bot=_split("μποτ, εσύ, εγώ, βοηθός, μοντέλο"),
        summary=_split("περίληψη, σύνοψη"),
        question=_split("ερώτηση, ε"),
        answer=_split("απάντηση, α"),
        note=_split("σημείωση"),
        dialogue=_split("διάλογος, συνομιλία"),
    ),
    LanguageWords(
        language="he",
        person=_split("אדם, משתמש, קורא, אדם אחר, שואל"),
        bot=_split("בוט, אתה, אני, עוזר, מודל"),
        summary=_split("סיכום, תקציר"),
        question=_split("שאלה, ש"),
        answer=_split("תשובה, ת"),
        note=_split("הערה"),
        dialogue=_split("דיאלוג, שיחה"),
    ),
    LanguageWords(
        language="fa",
        person=_split("شخص, کاربر, خواننده, فرد دیگر, شخص دیگر, انسان, پرسشگر"),
        bot=_split("ربات, شما, من, دستیار, مدل, هوش مصنوعی, تو"),
        summary=_split("خلاصه, چکیده"),
        question=_split("پرسش, سوال, سؤال"),
        answer=_split("پاسخ, جواب"),
        note=_split("توجه, یادداشت"),
        dialogue=_split("گفتگو, گفت‌وگو, مکالمه"),
    ),
    LanguageWords(
        language="id",
        person=_split("orang, orang lain, pengguna, manusia, pembaca, penanya"),
        bot=_split("bot, asisten, ai, model, pembantu"),
        teller=_split("anda, saya, kamu, aku"),
        summary=_split("ringkasan, rangkuman, ikhtisar"),
        question=_split("pertanyaan, tanya, soalan"),
        answer=_split("jawaban, jawab, jawapan"),
        note=_split("catatan, nota"),
        dialogue=_split("dialog, percakapan, perbualan"),
    ),
    LanguageWords(
        language="th",
        person=_split("ผู้ใช้, บุคคล, บุคคลอื่น, ผู้อ่าน, ผู้ถาม, คน, อีกคน"),
        bot=_split("บอท, คุณ, ฉัน, ผู้ช่วย, ผม, โมเดล, ผู้ตอบ"),
        summary=_split("สรุป, บทสรุป, บทคัดย่อ"),
        question=_split("คำถาม, ถาม"),
        answer=_split("คำตอบ, ตอบ"),
        note=_split("หมายเหตุ"),
        dialogue=_split("บทสนทนา"),
    ),
    LanguageWords(
        language="bn",
        person=_split("ব্যক্তি, অন্য ব্যক্তি, ব্যবহারকারী, পাঠক, মানুষ"),
        bot=_split("বট, আপনি, আমি, সহকারী, মডেল"),
        summary=_split("সারাংশ, সারসংক্ষেপ"),
        question=_split("প্রশ্ন"),
        answer=_split("উত্তর"),
        note=_split("দ্রষ্টব্য"),
        dialogue=_split("সংলাপ, কথোপকথন"),
    ),
    LanguageWords(
        language="ro",
        person=_split("persoană, altă persoană, utilizator, cititor, persoana"),
        bot=_split("bot, asistent, ia, model"),
        teller=_split("tu, eu"),
        summary=_split("rezumat, sumar, sinteză"),
        question=_split("întrebare"),
        answer=_split("răspuns"),
        note=_split("notă, observație"),
        dialogue=_split("dialog, conversație"),
    ),
    LanguageWords(
        language="hu",
        person=_split("személy, másik személy, felhasználó, olvasó"),
        bot=_split("bot, asszisztens, modell"),
        teller=_split("te, én, mi"),
        summary=_split("összefoglalás, összefoglaló, összegzés"),
        question=_split("kérdés"),
        answer=_split("válasz"),
        note=_split("megjegyzés"),
        dialogue=_split("párbeszéd, beszélgetés"),
    ),
)

DEFAULT_LANGUAGES: tuple[LanguageWords, ...] = (
    ENGLISH,
    CHINESE,
    JAPANESE,
    KOREAN,
    RUSSIAN,
    GERMAN,
    FRENCH,
    SPANISH,
    PORTUGUESE,
    ITALIAN,
    DUTCH,
    POLISH,
    TURKISH,
    ARABIC,
    HINDI,
    VIETNAMESE,
    *OTHER_LANGUAGES,
)
