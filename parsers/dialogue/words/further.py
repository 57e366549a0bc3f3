"""Label words in further languages; the last ones with the few that models use most."""

from __future__ import annotations

from .language import LanguageWords, split_words

DUTCH = LanguageWords(
    language="nl",
    person=split_words(
        "persoon, andere persoon, gebruiker, mens, lezer, vragensteller, ander, de ander"
    ),
    bot=split_words("bot, assistent, ai, robot, model, ai-assistent"),
    asker=split_words(
        "student, interviewer, presentator, journalist, patiënt, leerling, luisteraar"
    ),
    teller=split_words(
        "jij, ik, u, jou, auteur, professor, leraar, expert, onderzoeker, gast, wetenschapper, "
        "docent, arts"
    ),
    speaker=split_words("spreker, deelnemer"),
    summary=split_words("samenvatting, overzicht, korte samenvatting, kort overzicht"),
    question=split_words("vraag, v"),
    answer=split_words("antwoord"),
    narration=split_words("scène, verteller"),
    field=split_words("plaats, titel, onderwerp"),
    note=split_words("opmerking, let op, noot, woordenaantal"),
    header=split_words("beurt, ronde, paar, vragen en antwoorden"),
    dialogue=split_words("dialoog, gesprek, conversatie"),
)

POLISH = LanguageWords(
    language="pl",
    person=split_words(
        "osoba, inna osoba, druga osoba, użytkownik, człowiek, czytelnik, pytający, rozmówca"
    ),
    bot=split_words("bot, asystent, ai, model, robot, odpowiadający, asystent ai"),
    asker=split_words("student, studentka, dziennikarz, prowadzący, pacjent, uczeń, słuchacz"),
    teller=split_words(
        "ty, ja, autor, autorka, profesor, nauczyciel, ekspert, badacz, gość, naukowiec, lekarz"
    ),
    speaker=split_words("mówca, uczestnik"),
    summary=split_words("podsumowanie, streszczenie, krótkie streszczenie, skrót, omówienie"),
    question=split_words("pytanie, p"),
    answer=split_words("odpowiedź, o"),
    narration=split_words("scena, narrator"),
    field=split_words("miejsce, tytuł, temat"),
    note=split_words("uwaga, notatka, liczba słów, przypis"),
    header=split_words("runda, wymiana, para, pytania i odpowiedzi"),
    dialogue=split_words("dialog, rozmowa, wywiad"),
)

TURKISH = LanguageWords(
    language="tr",
    person=split_words(
        "kişi, diğer kişi, kullanıcı, insan, okuyucu, okur, soran, başka bir kişi, öteki kişi"
    ),
    bot=split_words("bot, asistan, yapay zeka, yapay zekâ, model, robot, yanıtlayan, yardımcı"),
    asker=split_words("öğrenci, sunucu, gazeteci, muhabir, hasta, dinleyici"),
    teller=split_words(
        "sen, ben, siz, yazar, profesör, öğretmen, uzman, araştırmacı, konuk, bilim insanı, doktor"
    ),
    speaker=split_words("konuşmacı, katılımcı"),
    summary=split_words("özet, kısa özet, makale özeti, genel bakış"),
    question=split_words("soru, s"),
    answer=split_words("cevap, yanıt, c, y"),
    narration=split_words("sahne, anlatıcı"),
    field=split_words("yer, başlık, konu"),
    note=split_words("not, dikkat, kelime sayısı, açıklama"),
    header=split_words("tur, çift, sorular ve cevaplar"),
    dialogue=split_words("diyalog, konuşma, sohbet"),
)

ARABIC = LanguageWords(
    language="ar",
    person=split_words(
        "الشخص, شخص, المستخدم, مستخدم, القارئ, السائل, الشخص الآخر, شخص آخر, الآخر, إنسان, الإنسان"
    ),
    bot=split_words(
        "البوت, بوت, المساعد, مساعد, أنا, أنت, الروبوت, النموذج, المجيب, الذكاء الاصطناعي, "
        "روبوت, المساعد الذكي"
    ),
    asker=split_words("الطالب, طالب, المحاور, المذيع, الصحفي, المريض, المستمع"),
    teller=split_words("المؤلف, الأستاذ, المعلم, الخبير, الباحث, الضيف, العالم, الطبيب, الكاتب"),
    speaker=split_words("المتحدث, متحدث, المشارك"),
    summary=split_words("ملخص, الملخص, خلاصة, الخلاصة, موجز, ملخص قصير, نبذة, ملخص موجز"),
    question=split_words("سؤال, السؤال, س"),
    answer=split_words("جواب, الجواب, إجابة, الإجابة, ج, الرد"),
    narration=split_words("المشهد, الراوي"),
    field=split_words("المكان, العنوان, الموضوع"),
    note=split_words("ملاحظة, تنبيه, عدد الكلمات"),
    header=split_words("جولة, دور, أسئلة وأجوبة"),
    dialogue=split_words("حوار, الحوار, محادثة, المحادثة, مقابلة"),
)

HINDI = LanguageWords(
    language="hi",
    person=split_words(
        "व्यक्ति, उपयोगकर्ता, पाठक, दूसरा व्यक्ति, अन्य व्यक्ति, प्रश्नकर्ता, मानव, यूज़र, इंसान, यूजर"
    ),
    bot=split_words("बॉट, आप, मैं, सहायक, तुम, एआई, मॉडल, उत्तरदाता, रोबोट, असिस्टेंट"),
    asker=split_words("छात्र, साक्षात्कारकर्ता, पत्रकार, विद्यार्थी, रोगी, श्रोता, मेज़बान"),
    teller=split_words("लेखक, प्रोफेसर, शिक्षक, विशेषज्ञ, शोधकर्ता, अतिथि, वैज्ञानिक, डॉक्टर, प्रोफ़ेसर"),
    speaker=split_words("वक्ता, प्रतिभागी"),
    summary=split_words("सारांश, संक्षेप, सार, संक्षिप्त सारांश"),
    question=split_words("प्रश्न, सवाल, प्र"),
    answer=split_words("उत्तर, जवाब, उ"),
    narration=split_words("दृश्य"),
    field=split_words("स्थान, शीर्षक, विषय"),
    note=split_words("नोट, टिप्पणी, ध्यान दें, शब्द संख्या"),
    header=split_words("दौर, प्रश्नोत्तर"),
    dialogue=split_words("संवाद, वार्तालाप, बातचीत"),
)

VIETNAMESE = LanguageWords(
    language="vi",
    person=split_words(
        "người, người khác, người dùng, người hỏi, độc giả, người đọc, con người, đối phương"
    ),
    bot=split_words("bot, trợ lý, ai, mô hình, người trả lời, trợ lý ai, máy"),
    asker=split_words("sinh viên, người phỏng vấn, phóng viên, học sinh, bệnh nhân"),
    teller=split_words(
        "bạn, tôi, tác giả, giáo sư, giáo viên, chuyên gia, nhà nghiên cứu, khách mời, bác sĩ"
    ),
    speaker=split_words("người nói, người tham gia"),
    summary=split_words("tóm tắt, bản tóm tắt, tóm lược, tổng quan, tóm tắt ngắn"),
    question=split_words("câu hỏi, hỏi"),
    answer=split_words("trả lời, đáp, câu trả lời"),
    narration=split_words("cảnh"),
    field=split_words("bối cảnh, tiêu đề, chủ đề"),
    note=split_words("ghi chú, lưu ý, chú ý, số từ"),
    header=split_words("lượt, vòng, hỏi đáp"),
    dialogue=split_words("đối thoại, hội thoại, cuộc trò chuyện, cuộc hội thoại"),
)

OTHER_LANGUAGES = (
    LanguageWords(
        language="uk",
        person=split_words("людина, користувач, читач, співрозмовник, інша людина"),
        bot=split_words("бот, асистент, помічник, я, ви, ти, ші, модель"),
        asker=split_words("студент, інтерв'юер, журналіст"),
        teller=split_words("автор, професор, експерт, дослідник"),
        summary=split_words("резюме, підсумок, короткий зміст, анотація, огляд"),
        question=split_words("питання, запитання"),
        answer=split_words("відповідь"),
        note=split_words("примітка"),
        dialogue=split_words("діалог, розмова"),
    ),
    LanguageWords(
        language="sv",
        person=split_words("person, annan person, användare, människa, läsare"),
        bot=split_words("bot, assistent, ai, modell"),
        asker=split_words("student, intervjuare, journalist"),
        teller=split_words("du, jag, författare, professor, lärare, expert, forskare"),
        summary=split_words("sammanfattning, sammandrag, översikt"),
        question=split_words("fråga"),
        answer=split_words("svar"),
        note=split_words("obs, anmärkning, notera"),
        dialogue=split_words("dialog, samtal"),
    ),
    LanguageWords(
        language="da",
        person=split_words("person, anden person, bruger, bruker, menneske, læser, leser"),
        bot=split_words("bot, assistent, ai, model"),
        teller=split_words("du, jeg"),
        summary=split_words("resumé, resume, sammenfatning, sammendrag, opsummering, oppsummering"),
        question=split_words("spørgsmål, spørsmål"),
        answer=split_words("svar"),
        note=split_words("bemærk, merk"),
        dialogue=split_words("dialog, samtale"),
    ),
    LanguageWords(
        language="fi",
        person=split_words("henkilö, toinen henkilö, käyttäjä, ihminen, lukija"),
        bot=split_words("botti, avustaja, tekoäly, malli"),
        teller=split_words("sinä, minä"),
        summary=split_words("tiivistelmä, yhteenveto"),
        question=split_words("kysymys"),
        answer=split_words("vastaus"),
        note=split_words("huomautus, huom"),
        dialogue=split_words("dialogi, keskustelu, vuoropuhelu"),
    ),
    LanguageWords(
        language="cs",
        person=split_words("osoba, jiná osoba, druhá osoba, uživatel, člověk, čtenář, používateľ"),
        bot=split_words("bot, asistent, ai, model, robot"),
        teller=split_words("ty, já"),
        summary=split_words("shrnutí, souhrn, zhrnutie, přehled"),
        question=split_words("otázka"),
        answer=split_words("odpověď, odpoveď"),
        note=split_words("poznámka"),
        dialogue=split_words("dialog, rozhovor"),
    ),
    LanguageWords(
        language="el",
        person=split_words("άτομο, άλλο άτομο, χρήστης, άνθρωπος, αναγνώστης"),
        bot=split_words("μποτ, εσύ, εγώ, βοηθός, μοντέλο"),
        summary=split_words("περίληψη, σύνοψη"),
        question=split_words("ερώτηση, ε"),
        answer=split_words("απάντηση, α"),
        note=split_words("σημείωση"),
        dialogue=split_words("διάλογος, συνομιλία"),
    ),
    LanguageWords(
        language="he",
        person=split_words("אדם, משתמש, קורא, אדם אחר, שואל"),
        bot=split_words("בוט, אתה, אני, עוזר, מודל"),
        summary=split_words("סיכום, תקציר"),
        question=split_words("שאלה, ש"),
        answer=split_words("תשובה, ת"),
        note=split_words("הערה"),
        dialogue=split_words("דיאלוג, שיחה"),
    ),
    LanguageWords(
        language="fa",
        person=split_words("شخص, کاربر, خواننده, فرد دیگر, شخص دیگر, انسان, پرسشگر"),
        bot=split_words("ربات, شما, من, دستیار, مدل, هوش مصنوعی, تو"),
        summary=split_words("خلاصه, چکیده"),
        question=split_words("پرسش, سوال, سؤال"),
        answer=split_words("پاسخ, جواب"),
        note=split_words("توجه, یادداشت"),
        dialogue=split_words("گفتگو, گفت‌وگو, مکالمه"),
    ),
    LanguageWords(
        language="id",
        person=split_words("orang, orang lain, pengguna, manusia, pembaca, penanya"),
        bot=split_words("bot, asisten, ai, model, pembantu"),
        teller=split_words("anda, saya, kamu, aku"),
        summary=split_words("ringkasan, rangkuman, ikhtisar"),
        question=split_words("pertanyaan, tanya, soalan"),
        answer=split_words("jawaban, jawab, jawapan"),
        note=split_words("catatan, nota"),
        dialogue=split_words("dialog, percakapan, perbualan"),
    ),
    LanguageWords(
        language="th",
        person=split_words("ผู้ใช้, บุคคล, บุคคลอื่น, ผู้อ่าน, ผู้ถาม, คน, อีกคน"),
        bot=split_words("บอท, คุณ, ฉัน, ผู้ช่วย, ผม, โมเดล, ผู้ตอบ"),
        summary=split_words("สรุป, บทสรุป, บทคัดย่อ"),
        question=split_words("คำถาม, ถาม"),
        answer=split_words("คำตอบ, ตอบ"),
        note=split_words("หมายเหตุ"),
        dialogue=split_words("บทสนทนา"),
    ),
    LanguageWords(
        language="bn",
        person=split_words("ব্যক্তি, অন্য ব্যক্তি, ব্যবহারকারী, পাঠক, মানুষ"),
        bot=split_words("বট, আপনি, আমি, সহকারী, মডেল"),
        summary=split_words("সারাংশ, সারসংক্ষেপ"),
        question=split_words("প্রশ্ন"),
        answer=split_words("উত্তর"),
        note=split_words("দ্রষ্টব্য"),
        dialogue=split_words("সংলাপ, কথোপকথন"),
    ),
    LanguageWords(
        language="ro",
        person=split_words("persoană, altă persoană, utilizator, cititor, persoana"),
        bot=split_words("bot, asistent, ia, model"),
        teller=split_words("tu, eu"),
        summary=split_words("rezumat, sumar, sinteză"),
        question=split_words("întrebare"),
        answer=split_words("răspuns"),
        note=split_words("notă, observație"),
        dialogue=split_words("dialog, conversație"),
    ),
    LanguageWords(
        language="hu",
        person=split_words("személy, másik személy, felhasználó, olvasó"),
        bot=split_words("bot, asszisztens, modell"),
        teller=split_words("te, én, mi"),
        summary=split_words("összefoglalás, összefoglaló, összegzés"),
        question=split_words("kérdés"),
        answer=split_words("válasz"),
        note=split_words("megjegyzés"),
        dialogue=split_words("párbeszéd, beszélgetés"),
    ),
)
