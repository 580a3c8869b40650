"""A text's pieces that must be copied are found as they are, and nothing else is."""

import random
import time

import pytest

from explorer.data.parallel.lifted import set_in, take_out
from explorer.data.parallel.literals import FIRST_SIGN, mark_literals, restore_literals
from tests.support.literal_examples import FRAMES, KINDS, examples

ENGLISH, SIGN = "en", chr(FIRST_SIGN)


@pytest.mark.parametrize("language", [*FRAMES])
@pytest.mark.parametrize("kind", [*KINDS])
def test_everything_of_a_kind_is_found_whole(kind: str, language: str) -> None:
    for seed in range(10):
        for text, held in examples(kind, language, seed):
            signed, literals = mark_literals(text, language, "fr" if language == "en" else "en")
            assert {each.typed for each in literals.values()} == {*held}, text
            assert restore_literals(signed, literals) == text


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("See (https://x.org/a_(b)), or “http://test.example/.”", ["https://x.org/a_(b)", "http://test.example/"]),
        ("Mail a@b.org, git@host.org:me/it.git!", ["a@b.org", "git@host.org:me/it.git"]),
        ("C:\\Program Files\\App\\run.exe is here", ["C:\\Program Files\\App\\run.exe"]),
        ("%d of %d files (%d%%)", ["%d", "%d%%"]),
        ("At %d:%d, {a}/{b}.", ["%d:%d", "{a}/{b}"]),
        ("user-{id}: {n, plural, one {# a} other {# b}}", ["user-{id}", "{n, plural, one {# a} other {# b}}"]),
        ("<a href='x'>here</a> & <br/> &nbsp; <name>", ["<a href='x'>", "</a>", "<br/>", "&nbsp;", "<name>"]),
        ("Run `a b`, print() or --force in my_var.", ["`a b`", "print()", "--force", "my_var"]),
        ("E = mc², x = 5, 3 > 2 and 1 + 1 = 2.", ["E = mc²", "x = 5", "3 > 2", "1 + 1 = 2"]),
        ("It is version 3.11, v2.0.1-beta or ^1.2.x.", ["3.11", "v2.0.1-beta", "^1.2.x"]),
        ("“My Report.pdf” and .gitignore", ["My Report.pdf", ".gitignore"]),
        ("fe80::1, ::1 and 00:1A:2B:3C:4D:5E", ["fe80::1", "::1", "00:1A:2B:3C:4D:5E"]),
        ("I 👩🏿‍🚀 you :-) <3", ["👩🏿‍🚀", ":-)", "<3"]),
        ('Is "Tr0ub4dor&3" or A1B2-C3D4 it?', ["Tr0ub4dor&3", "A1B2-C3D4"]),
    ],
)  # fmt: skip
def test_what_hangs_together_is_one(text: str, found: list[str]) -> None:
    assert [each.typed for each in mark_literals(text, ENGLISH, "fr")[1].values()] == found


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("I'm fine. Well, it's 5% of $3.50 (see p. 5), e.g. this, i.e. that; U.S. troops came at 7:30.", "en"),
        ("He and/or she works 24/7 in 3-5 days: the score was 3-1, a 50% discount.I see.You do.", "en"),
        ("The 20th-century COVID-19 pandemic, 5th in 2021. I + you, a < b; C# and 1,234.5.", "en"),
        ("Ça coûte 1.234.567 euros, c'est-à-dire 3,5 kg à 9 h 15… aujourd'hui.", "fr"),
        ("Die MP3-Player-Tasche, d.h. z.B. die CO2-Steuer, kostet 1.234.567 Euro am 8. Mai.", "de"),
        ("我今天9点半在北京买了3.5公斤苹果，便宜30%。", "zh"),
    ],
)
def test_words_and_numbers_are_no_literals(text: str, language: str) -> None:
    assert mark_literals(text, language, "fr" if language == "en" else "en") == (text, {})


@pytest.mark.parametrize(
    ("pair", "typed", "there"),
    [
        ("en-fr", "9:15 pm", "21 h 15"),
        ("en-fr", "12 AM", "0 h"),
        ("en-de", "9:15 PM", "21:15 Uhr"),
        ("en-de", "7 am", "7 Uhr"),
        ("en-zh", "12:05 am", "0:05"),
        ("fr-en", "21 h 15", "9:15 pm"),
        ("de-en", "17 Uhr", "5 pm"),
        ("zh-en", "下午2点半", "2:30 pm"),
        ("zh-en", "早上8:05", "8:05 am"),
    ],
)
def test_a_time_goes_out_as_the_other_clock_says_it(pair: str, typed: str, there: str) -> None:
    source, target = pair.split("-")
    for text in (typed, f"({typed})", f"… {typed}, …"):
        (found,) = mark_literals(text, source, target)[1].values()
        assert (found.typed, found.there) == (typed, there)


def test_an_abbreviation_leaves_the_sentence_its_end() -> None:
    signed, literals = mark_literals("Come at 9 a.m. We left at 9 a.m. on Monday.", ENGLISH, "fr")
    assert [each.typed for each in literals.values()] == ["9 a.m", "9 a.m."]
    assert signed.endswith(" on Monday.")


@pytest.mark.parametrize(
    ("language", "text", "read", "translation", "said"),
    [
        ("fr", "I love you *", "I love you", "Je t'aime", "Je t'aime *"),
        ("fr", "I love you *!", "I love you!", "Je t'aime !", "Je t'aime * !"),
        ("fr", "Yes! *", "Yes!", "Oui !", "Oui ! *"),
        ("fr", "* Hello, Ann.", "Hello, Ann.", "Bonjour, Ann.", "* Bonjour, Ann."),
        ("fr", "*, hello.", "hello.", "bonjour.", "*, bonjour."),
        ("de", "The pizza * is good.", "The pizza is good.", "Die Pizza ist gut.", "Die Pizza * ist gut."),
        ("de", "Great *, thanks.", "Great, thanks.", "Super, danke.", "Super *, danke."),
        ("fr", "It is *here.", "It is here.", "Il est ici.", "Il est *ici."),
        ("zh", "I love you *.", "I love you.", "我爱你。", "我爱你*。"),
        ("en", "我爱你*", "我爱你", "I love you", "I love you *"),
        ("fr", "Look (*) here.", "Look here.", "Regarde ici.", "Regarde (*) ici."),
    ],
)
def test_what_is_not_read_stands_in_the_translation_where_it_stood(
    language: str, text: str, read: str, translation: str, said: str
) -> None:
    found, lifted = take_out(text.replace("*", SIGN), {SIGN})
    assert found == read
    assert set_in(translation, lifted, language) == said.replace("*", SIGN)


@pytest.mark.parametrize("language", [*FRAMES])
def test_any_text_comes_back_and_four_times_as_much_takes_no_more_than_some_four_times_as_long(language: str) -> None:
    draw = random.Random(language)
    noise = "".join(draw.choice("aZ0 .:/@#%{}<>`~\\+=-_&$!?,'\"(é中。，❤️\u200d\U000f0000\n") for _ in range(9_000))
    assert restore_literals(*mark_literals(noise, language, "en")) == noise
    pieces = ("a", "a.", "a/", "1+", "{", "%", "<a ", "a@", "#", "`", "C:\\a ", "::", "1.", "-", "❤", "@a", "a_", "x=")
    for each in pieces:

        def seconds(n: int, each: str = each) -> float:
            start = time.process_time()
            mark_literals(each * n, language, "en")
            return time.process_time() - start

        assert min(seconds(4_000) for _ in range(2)) < 10 * min(seconds(1_000) for _ in range(3)) + 0.1, each
