"""How many questions a turn asks, and whether it only says goodbye."""

from __future__ import annotations

import pytest

from parsers.utterance import is_farewell, question_count

COUNTS = [
    ("What is X?", 1),
    ("What is X? And how is Y?", 2),
    ("What is X, and how is Y?", 1),
    ("What is X?? Really??", 1),
    ("What is X?!", 1),
    ("It uses two queues, right?", 1),
    ("It uses two queues. Right?", 1),
    ("Does it use two queues? Is that right?", 1),
    ("Is it LRU? Or LFU?", 1),
    ("What is W? Why?", 2),
    ("1. What is X?\n2. How is Y?\n3. Who is Z?", 3),
    ("1. What is X 2. How is Y 3. Who is Z", 3),
    ("Q1: What is X?\nQ2: How is Y?", 2),
    ("What is X?\nHow is Y?", 2),
    ("What is X?How is Y?", 2),
    ('What does "why?" mean here?', 1),
    ("What is meant by the question (why?) in the title?", 1),
    ("Is http://example.org/?page=2 the data?", 1),
    ("Tell me about W.", 1),
    ("Explain W. How large is it?", 2),
    ("How large is it? Please explain the choice.", 2),
    ("I see. How large is it?", 1),
    ("That is interesting. What a nice idea. How large is it?", 1),
    ("How large is it, in version 2.3, e.g. on disk?", 1),
    ("Thanks, that helps.", 0),
    ("It is a window.", 0),
    ("", 0),
    ("窗口有多大？", 1),
    ("窗口有多大？又是怎么选的呢？", 2),
    ("窗口有多大，又是怎么选的？", 1),
    ("窗口有多大吗。怎么选的呢。", 2),
    ("窗口很大，对吗？", 1),
    ("窗口是固定的吗？对吗？", 1),
    ("是LRU吗？还是LFU？", 1),
    ("1. 窗口有多大？2. 怎么选的？", 2),
    ("1、窗口有多大\n2、怎么选的", 2),
    ("请解释窗口。它有多大？", 2),
    ("请介绍一下这个方法。", 1),
    ("“为什么？”这一节讲了什么？", 1),
    ("明白了，谢谢。", 0),
    ("窓の大きさは？どう決めますか？", 2),
    ("窓の大きさは何ですか。", 1),
    ("창의 크기는 얼마인가요? 어떻게 정하나요?", 2),
    ("ما حجم النافذة؟ وكيف تختار؟", 2),
    ("¿Qué es W? ¿Y cómo se elige?", 2),
    ("Τι είναι το W; Πώς επιλέγεται;", 2),
    ("Что такое W? Как его выбирают?", 2),
]

FAREWELLS = [
    "Thank you, goodbye!",
    "Thanks!",
    "You're welcome",
    "You're welcome! Have a great day!",
    "You are very welcome. Feel free to ask if you have more questions.",
    "Great, thank you so much for your help. That was very helpful!",
    "Okay, got it. I have no further questions. Thanks again!",
    "That's all I wanted to know, thank you.",
    "My pleasure! Is there anything else I can help you with?",
    "No problem! 😊",
    "Bye!",
    "Thank you for explaining. Goodbye!",
    "I'm glad I could help. Take care!",
    "谢谢，再见",
    "谢谢您的解答！",
    "非常感谢你的回答，我明白了。",
    "不客气！如果还有其他问题，请随时问我。",
    "好的，没有其他问题了，谢谢。",
    "不用谢，祝您生活愉快！",
    "Merci beaucoup, au revoir !",
    "Danke schön!",
    "¡Muchas gracias!",
    "Спасибо, до свидания!",
    "ありがとうございます。",
    "감사합니다!",
    "Obrigado!",
]

NO_FAREWELLS = [
    "",
    "!!!",
    "Okay.",
    "Good.",
    "Thanks. How large is it?",
    "Thanks, that helps. The window is fixed.",
    "Thank you. The cache has two queues.",
    "Thanks to the second queue it is fast. What else is new?",
    "The cache says goodbye to cold objects.",
    "Is there a limit?",
    "I have no information about that.",
    "It was a great success.",
    "谢谢。它有多大？",
    "好的。",
    "感谢第二个队列，它很快。它还有什么局限？",
    "再见这个词在文中出现了三次。",
    "窗口有多大？",
    "Danke. Wie groß ist es?",
    "It is good. " * 50,
]


@pytest.mark.parametrize(("text", "count"), COUNTS, ids=[text[:40] for text, _ in COUNTS])
def test_separate_questions_are_counted(text, count):
    assert question_count(text) == count


@pytest.mark.parametrize("text", FAREWELLS)
def test_thanks_and_goodbyes_are_farewells(text):
    assert is_farewell(text)


@pytest.mark.parametrize("text", NO_FAREWELLS, ids=[text[:40] for text in NO_FAREWELLS])
def test_what_says_something_else_is_no_farewell(text):
    assert not is_farewell(text)
