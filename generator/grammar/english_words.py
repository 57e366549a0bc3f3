"""The small words by which the English question rules find their way through a clause."""

from __future__ import annotations

BE = frozenset({"is", "are", "was", "were"})
HAVE = frozenset({"has", "have", "had"})
MODAL = frozenset({"can", "may", "must", "will", "should", "could", "might", "cannot"})
AUTHORS = frozenset({"we", "i"})
PERSONAL = frozenset({"it", "they", "both", "each", "another", "one", "others"})
POINTING = frozenset({"this", "these", "those", "that", "such"})
DETERMINERS = frozenset(
    (
        *("a", "an", "the", "this", "that", "these", "those", "each", "every", "all", "both"),
        *("some", "any", "no", "its", "their", "our", "his", "her", "my", "your", "several"),
        *("many", "most", "few", "one", "two", "three", "four", "five", "six", "seven", "eight"),
        *("nine", "ten", "half", "more", "less"),
    )
)
PREPOSITIONS = frozenset(
    (
        *("of", "in", "on", "at", "by", "for", "from", "with", "without", "to", "into", "onto"),
        *("over", "under", "per", "as", "than", "through", "across", "between", "among", "within"),
        *("against", "about", "after", "before", "during", "towards", "toward", "along", "around"),
        *("beside", "besides", "behind", "below", "above", "near", "via", "inside", "outside"),
    )
)
OPENING_WORDS = PREPOSITIONS | frozenset(
    (
        *("since", "because", "although", "though", "while", "whereas", "when", "if", "once"),
        *("until", "unless", "despite", "like", "unlike", "instead", "besides", "however", "thus"),
        *("therefore", "hence", "moreover", "furthermore", "first", "second", "third", "finally"),
        *("then", "also", "here", "there", "overall", "given", "using", "compared", "based"),
    )
)
CLAUSE_WORDS = frozenset(
    (
        *("that", "which", "who", "whom", "whose", "where", "when", "because", "and", "or", "but"),
        *("nor", "if", "while", "so", "since", "until", "unless", "although", "whether", "once"),
        *("what", "how", "why", "yet", "whereas", "whenever"),
    )
)
ADVERBS = frozenset(
    (
        *("only", "also", "then", "always", "never", "often", "thus", "further", "first", "still"),
        *("just", "usually", "therefore", "now", "again", "already", "merely", "simply", "rarely"),
        *("alone", "itself", "themselves", "together", "hardly", "sometimes", "instead", "even"),
    )
)


def is_adverb(word: str) -> bool:
    """Whether the word says how or when, and can be passed over between subject and verb."""
    return word.lower() in ADVERBS or (len(word) > 4 and word.endswith("ly"))


def bare(token: str) -> str:
    """The word without the mark after it."""
    return token.rstrip(",;:)").lstrip("(")
