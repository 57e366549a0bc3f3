"""Label words in English."""

from __future__ import annotations

from .language import LanguageWords, split_words

ENGLISH = LanguageWords(
    language="en",
    person=split_words(
        "person, other person, another person, other, the other person, user, human, reader, "
        "questioner, asker, other party, second person, curious reader, human user, end user, "
        "enquirer, inquirer"
    ),
    bot=split_words(
        "bot, you, me, i, myself, yourself, assistant, ai, chatbot, chat bot, model, "
        "ai assistant, gpt, chatgpt, gpt-4, llm, language model, answerer, responder, "
        "respondent, ai model, agent, virtual assistant, system response, response, reply, "
        "robot, machine"
    ),
    asker=split_words(
        "interviewer, student, host, client, patient, customer, journalist, reporter, learner, "
        "listener, novice, beginner, pupil, seeker, visitor, moderator, audience, "
        "audience member, layperson, colleague, friend, undergraduate, newcomer, "
        "presenter host, caller"
    ),
    teller=split_words(
        "claude, gemini, llama, qwen, mistral, author, professor, teacher, guest, expert, "
        "scientist, researcher, interviewee, counselor, counsellor, therapist, doctor, "
        "speaker guest, presenter, tutor, instructor, lecturer, mentor, advisor, adviser, "
        "specialist, first author, lead author, writer, the author, paper author, "
        "explainer, consultant, librarian"
    ),
    speaker=split_words("speaker, participant, party, voice, interlocutor, character, side"),
    summary=split_words(
        "summary, abstract, tl;dr, tldr, overview, synopsis, summarization, summarisation, "
        "recap, gist, the summary, first utterance, opening, opening statement, sum up"
    ),
    question=split_words(
        "question, q, query, ques, follow-up question, follow up question, follow-up"
    ),
    answer=split_words("answer, a, ans"),
    narration=split_words("scene, setting, narrator, narration, stage direction"),
    field=split_words(
        "title, topic, context, location, participants, characters, speakers, cast, date, "
        "subject, background music, dialogue title"
    ),
    note=split_words(
        "note, notes, disclaimer, ps, p.s., please note, word count, total words, "
        "author's note, editor's note, comment, explanation, remark, nb, n.b., token count, "
        "character count"
    ),
    header=split_words(
        "turn, round, exchange, pair, qa, q&a, q/a, qa pair, q&a pair, question-answer pair, "
        "dialogue turn, step turn, interaction, questions, answers, questions and answers, "
        "question and answer, q & a, utterance, part, line, message, msg, entry, item"
    ),
    dialogue=split_words(
        "dialogue, dialog, conversation, transcript, the dialogue, the conversation, "
        "discussion, chat, interview, example dialogue, sample dialogue, generated dialogue, "
        "full dialogue, example conversation, dialogue example"
    ),
    prompt=split_words(
        "prompt, system prompt, paper text, text of the paper, input text, source text, "
        "article  text, profile, profiles, persona profile, user profile, user prompt, "
        "system message, output format, personas, persona description, system instruction, "
        "system instructions"
    ),
    topic=split_words(
        "instruction, instructions, system, task, guidelines, constraints, requirements, "
        "result, results, time, space, example, input, output, step, accuracy, recall, data, "
        "dataset, datasets, method, methods, model, models, training, testing, evaluation, "
        "advantage, advantages, disadvantage, disadvantages, limitation, limitations, "
        "conclusion, background, first, second, third, fourth, finally, pros, cons, "
        "definition, formula, equation, theorem, proof, lemma, table, figure, algorithm, "
        "hypothesis, source, warning, caution, tip, hint, caveat, reason, cause, effect, "
        "purpose, goal, objective, key, main, overall, however, therefore, thus, namely, also, "
        "remember, important, ingredients, materials, examples, steps, features, benefits, "
        "drawbacks, option, options, case, phase, stage, level, type, size, speed, cost, "
        "score, metric, metrics, baseline, loss, parameters, rate, value, total, average, "
        "mean, median, cpu, gpu, ram, memory, hardware, software, code, url, link, reference, "
        "references, see, keywords, findings, contribution, contributions, motivation, "
        "problem, solution, approach, setup, claim, evidence, fact, observation, quote, "
        "answer key, correct, wrong, true, false, yes, no, sure, well, ok, okay, right, "
        "indeed, sorry, hello, hi, thanks, above, below, before, after, then, next, last, but, "
        "and, so, or, if, because, since, while, when, where, why, how, what, which, who, "
        "version, name, price, weight, height, length, width, depth, distance, temperature, "
        "monday, tuesday, wednesday, thursday, friday, saturday, sunday, http, https, ftp, "
        "doi, isbn, arxiv, email, address, phone, english, chinese, french, german, spanish, "
        "short answer, long answer, tl, encoder, decoder, layer, hint, bonus, extra, "
        "summary table, hyperparameters, batch, epoch, learning rate, f1, bleu, rouge, "
        "quick note, side note, fun fact, pro tip, bottom line, spoiler, edit, update"
    ),
)
