"""The label words the default vocabulary knows, by language."""

from __future__ import annotations

from .east_asian import CHINESE, JAPANESE, KOREAN
from .english import ENGLISH
from .european import FRENCH, GERMAN, ITALIAN, PORTUGUESE, RUSSIAN, SPANISH
from .further import ARABIC, DUTCH, HINDI, OTHER_LANGUAGES, POLISH, TURKISH, VIETNAMESE
from .language import LanguageWords

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

__all__ = ["DEFAULT_LANGUAGES", "LanguageWords"]
