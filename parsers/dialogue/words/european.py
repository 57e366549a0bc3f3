"""Label words in the larger European languages."""

from __future__ import annotations

from .language import LanguageWords, split_words

RUSSIAN = LanguageWords(
    language="ru",
    person=split_words(
        "человек, пользователь, читатель, собеседник, другой человек, спрашивающий, юзер, "
        "другой, второй человек, задающий вопрос"
    ),
    bot=split_words(
        "бот, ассистент, я, ты, вы, помощник, ии, робот, модель, отвечающий, чат-бот, чатбот, "
        "нейросеть, языковая модель"
    ),
    asker=split_words(
        "студент, интервьюер, ведущий, журналист, пациент, слушатель, клиент, ученик, корреспондент"
    ),
    teller=split_words(
        "автор, профессор, учитель, эксперт, исследователь, гость, учёный, ученый, "
        "преподаватель, доктор, врач, специалист, лектор"
    ),
    speaker=split_words("говорящий, участник, спикер, персонаж"),
    summary=split_words(
        "резюме, краткое содержание, аннотация, краткое изложение, обзор, краткое резюме, "
        "саммари, сводка, краткий обзор"
    ),
    question=split_words("вопрос, в"),
    answer=split_words("ответ, о"),
    narration=split_words("сцена, рассказчик"),
    field=split_words("место действия, обстановка, тема, название, заголовок"),
    note=split_words("примечание, заметка, замечание, количество слов, прим., внимание, пояснение"),
    header=split_words("раунд, реплика, ход, пара, вопросы и ответы, обмен"),
    dialogue=split_words("диалог, разговор, беседа, интервью, пример диалога"),
    prompt=split_words("промпт, текст статьи, исходный текст, системный промпт"),
    topic=split_words(
        "результат, результаты, время, вход, выход, метод, данные, вывод, причина, цель, шаг, "
        "преимущества, недостатки, например, источник, формула, скорость, точность, ингредиенты"
    ),
)

GERMAN = LanguageWords(
    language="de",
    person=split_words(
        "person, andere person, benutzer, nutzer, mensch, leser, leserin, fragesteller, "
        "fragestellerin, anwender, nutzerin, gesprächspartner, die andere person, der andere, "
        "benutzerin, anderer, andere"
    ),
    bot=split_words(
        "bot, assistent, assistentin, ki, ki-assistent, chatbot, modell, sprachmodell, "
        "antwortender, antwortgeber"
    ),
    asker=split_words(
        "student, studentin, interviewer, interviewerin, moderator, moderatorin, journalist, "
        "journalistin, patient, schüler, schülerin, zuhörer, kunde, gastgeber"
    ),
    teller=split_words(
        "du, ich, sie, autor, autorin, professor, professorin, lehrer, lehrerin, experte, "
        "expertin, forscher, forscherin, gast, wissenschaftler, wissenschaftlerin, arzt, "
        "dozent, fachmann"
    ),
    speaker=split_words("sprecher, sprecherin, teilnehmer, teilnehmerin"),
    summary=split_words(
        "zusammenfassung, überblick, kurzfassung, kurze zusammenfassung, übersicht, "
        "kurzzusammenfassung, resümee"
    ),
    question=split_words("frage, f"),
    answer=split_words("antwort"),
    narration=split_words("szene, erzähler, regieanweisung"),
    field=split_words("ort, titel, thema, schauplatz"),
    note=split_words("hinweis, anmerkung, bemerkung, notiz, wortzahl, anm., wörter"),
    header=split_words("runde, austausch, paar, fragen und antworten, gesprächsrunde"),
    dialogue=split_words("dialog, gespräch, unterhaltung, konversation, beispieldialog"),
    prompt=split_words("systemprompt, artikeltext, systemanweisung"),
    topic=split_words(
        "ergebnis, ergebnisse, zeit, eingabe, ausgabe, methode, daten, schluss, grund, ziel, "
        "schritt, vorteile, nachteile, quelle, formel, beispiele, genauigkeit, zutaten, vorteil"
    ),
)

FRENCH = LanguageWords(
    language="fr",
    person=split_words(
        "personne, autre personne, utilisateur, utilisatrice, humain, lecteur, lectrice, "
        "l'autre personne, interlocuteur, interlocutrice, questionneur, l'autre, "
        "une autre personne"
    ),
    bot=split_words(
        "bot, assistant, assistante, ia, robot, modèle, l'assistant, assistant ia, répondeur, "
        "réponse de l'ia"
    ),
    asker=split_words(
        "étudiant, étudiante, intervieweur, intervieweuse, animateur, animatrice, journaliste, "
        "patient, patiente, élève, auditeur, client, hôte, enquêteur"
    ),
    teller=split_words(
        "vous, moi, toi, tu, je, auteur, auteure, autrice, professeur, professeure, "
        "enseignant, enseignante, expert, experte, chercheur, chercheuse, invité, invitée, "
        "scientifique, médecin, spécialiste"
    ),
    speaker=split_words(
        "locuteur, locutrice, intervenant, intervenante, participant, participante"
    ),
    summary=split_words(
        "résumé, sommaire, synthèse, aperçu, court résumé, bref résumé, résumé de l'article"
    ),
    question=split_words("question"),
    answer=split_words("réponse, r"),
    narration=split_words("scène, narrateur, narratrice"),
    field=split_words("lieu, titre, sujet, thème, décor"),
    note=split_words("remarque, avertissement, nombre de mots, nb, précision, note de l'auteur"),
    header=split_words("tour, échange, paire, questions et réponses, questions-réponses"),
    dialogue=split_words("dialogue, conversation, entretien, exemple de dialogue"),
    prompt=split_words("consigne, consignes, texte de l'article, texte source"),
    topic=split_words(
        "résultat, résultats, temps, entrée, sortie, méthode, données, raison, but, étape, "
        "avantages, inconvénients, exemples, précision, ingrédients, objectif, avantage"
    ),
)

SPANISH = LanguageWords(
    language="es",
    person=split_words(
        "persona, otra persona, usuario, usuaria, humano, humana, lector, lectora, otro, otra, "
        "la otra persona, interlocutor, preguntador"
    ),
    bot=split_words(
        "bot, asistente, ia, robot, modelo, asistente de ia, asistente virtual, respondedor"
    ),
    asker=split_words(
        "estudiante, entrevistador, entrevistadora, presentador, presentadora, periodista, "
        "paciente, alumno, alumna, oyente, cliente, anfitrión, anfitriona, moderador"
    ),
    teller=split_words(
        "tú, yo, usted, tu, autor, autora, profesor, profesora, experto, experta, "
        "investigador, investigadora, invitado, invitada, científico, científica, médico, "
        "docente, especialista"
    ),
    speaker=split_words("hablante, participante"),
    summary=split_words(
        "resumen, sumario, síntesis, breve resumen, resumen breve, sinopsis, "
        "resumen del artículo, resumen corto"
    ),
    question=split_words("pregunta, p"),
    answer=split_words("respuesta, r"),
    narration=split_words("escena, narrador, narradora"),
    field=split_words("lugar, título, tema, escenario"),
    note=split_words("nota, aviso, observación, recuento de palabras, comentario, aclaración"),
    header=split_words("turno, ronda, intercambio, par, preguntas y respuestas"),
    dialogue=split_words("diálogo, conversación, charla, entrevista, ejemplo de diálogo"),
    prompt=split_words("texto del artículo, texto fuente"),
    topic=split_words(
        "resultado, resultados, tiempo, entrada, salida, método, datos, conclusión, razón, "
        "objetivo, paso, ventajas, desventajas, fuente, fórmula, ejemplos, precisión, "
        "ingredientes"
    ),
)

PORTUGUESE = LanguageWords(
    language="pt",
    person=split_words(
        "pessoa, outra pessoa, usuário, usuária, utilizador, humano, leitor, leitora, outro, "
        "outra, a outra pessoa, interlocutor"
    ),
    bot=split_words("bot, assistente, ia, robô, modelo, assistente de ia"),
    asker=split_words(
        "estudante, entrevistador, entrevistadora, apresentador, jornalista, aluno, aluna, "
        "paciente, ouvinte, anfitrião, cliente"
    ),
    teller=split_words(
        "você, eu, tu, autor, autora, professor, professora, especialista, pesquisador, "
        "pesquisadora, convidado, convidada, cientista, médico, investigador"
    ),
    speaker=split_words("falante, participante, orador"),
    summary=split_words("resumo, sumário, síntese, breve resumo, resumo breve, resumo do artigo"),
    question=split_words("pergunta, p"),
    answer=split_words("resposta, r"),
    narration=split_words("cena, narrador"),
    field=split_words("local, título, tema, cenário"),
    note=split_words("nota, observação, aviso, contagem de palavras, obs"),
    header=split_words("turno, rodada, troca, par, perguntas e respostas"),
    dialogue=split_words("diálogo, conversa, entrevista, exemplo de diálogo"),
    prompt=split_words("texto do artigo, texto fonte"),
    topic=split_words(
        "resultado, resultados, tempo, entrada, saída, método, dados, conclusão, razão, passo, "
        "vantagens"
    ),
)

ITALIAN = LanguageWords(
    language="it",
    person=split_words(
        "persona, altra persona, utente, umano, lettore, lettrice, altro, altra, "
        "l'altra persona, un'altra persona, interlocutore"
    ),
    bot=split_words("bot, assistente, ia, robot, modello, assistente ia"),
    asker=split_words(
        "studente, studentessa, intervistatore, intervistatrice, conduttore, giornalista, "
        "paziente, ascoltatore, cliente, moderatore"
    ),
    teller=split_words(
        "tu, io, lei, voi, autore, autrice, professore, professoressa, esperto, esperta, "
        "ricercatore, ricercatrice, ospite, scienziato, medico, insegnante, docente"
    ),
    speaker=split_words("parlante, partecipante"),
    summary=split_words("riassunto, sommario, sintesi, riepilogo, breve riassunto, breve sintesi"),
    question=split_words("domanda, d"),
    answer=split_words("risposta, r"),
    narration=split_words("scena, narratore"),
    field=split_words("luogo, titolo, tema, argomento, ambientazione"),
    note=split_words("nota, osservazione, avviso, conteggio parole, commento"),
    header=split_words("turno, giro, scambio, coppia, domande e risposte"),
    dialogue=split_words("dialogo, conversazione, intervista, esempio di dialogo"),
    prompt=split_words("testo dell'articolo, testo di partenza"),
    topic=split_words(
        "risultato, risultati, tempo, ingresso, uscita, metodo, dati, conclusione, motivo, "
        "passo, vantaggi"
    ),
)
