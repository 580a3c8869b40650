"""Names, numbers and dates are read as others, and stand in the translation again."""

import time

import pytest

from explorer.data.parallel.placeholders import insert_placeholders, restore

#: Each many times over: what a pattern that goes back and forth would be slow at.
REPEATED = ("a", "-", "Zxqwv ", "Zxqwv-", "O'", "Zxqwv van der ", "Mr. ")
HOSTILE = (
    *("", " ", "\x00\x07\u200b", "😀🏳️‍🌈 Zxqwv 😀", "<script>alert('Qwertzu')</script>", "&lt;Zxqwv&gt;", "Д" * 99),
    *(
        "שלום Zxqwv עולם",
        "مرحبا يا Zxqwv",
        "\u202eZxqwv\u202c",
        "Zxqwv's's's",
        "\\1 \\g<1> Zxqwv (?P<x>",
        "\ud800 Zxqwv",
    ),
    *(each * 1_000 for each in REPEATED),
)


@pytest.mark.parametrize(
    ("pair", "typed", "read", "written", "said"),
    [
        ("en-fr", "Tariqo saw me.", "Tom saw me.", "Tom m'a vu.", "Tariqo m'a vu."),
        ("en-fr", "Is Ottavka's dog ill?", "Is Tom's dog ill?", "Le chien de Tom ?", "Le chien d'Ottavka ?"),
        ("en-fr", "She saw Ottavka.", "She saw Mary.", "Elle a vu Marie.", "Elle a vu Ottavka."),
        ("en-fr", "Tom met Yulduz.", "Tom met Mary.", "Tom a vu Mary.", "Tom a vu Yulduz."),
        ("en-de", "Mrs. O'Brannock left.", "Mrs. Jackson left.", "Frau Jackson ging.", "Frau O'Brannock ging."),
        ("en-de", "Then Ann Dunhamovic left.", "Then Tom left.", "Dann ging Tom.", "Dann ging Ann Dunhamovic."),
        ("en-de", "On Monday Tariqo left.", "On Monday Tom left.", "Am Montag ging Tom.", "Am Montag ging Tariqo."),
        ("zh-en", "我看到Tariqo了。", "我看到汤姆了。", "I saw Tom.", "I saw Tariqo."),
        ("en-de", "He lives in Ystradgyn.", "He lives in Boston.", "Er lebt in Boston.", "Er lebt in Ystradgyn."),
        ("en-zh", "Tell Mr. van der Klooq.", "Tell Mr. Brown.", "告诉布朗先生。", "告诉van der Klooq先生。"),
        (
            "en-zh",
            "Anneke-Sofie Vuijk saw Zoltanka.",
            "Tom saw Mary.",
            "汤姆看见玛丽。",
            "Anneke-Sofie Vuijk看见Zoltanka。",
        ),
        ("zh-en", "Zoltanka在Ystradgyn。", "汤姆在波士顿。", "Tom is in Boston.", "Zoltanka is in Ystradgyn."),
        (
            "fr-en",
            "Je crois qu'Ottavka dort.",
            "Je crois que Tom dort.",
            "I think Tom sleeps.",
            "I think Ottavka sleeps.",
        ),
        ("zh-en", "Tariqo教授来了。", "汤姆教授来了。", "Professor Tom came.", "Professor Tariqo came."),
        ("en-zh", "Professor Tariqo came.", "Professor Brown came.", "Professor布朗来了。", "ProfessorTariqo来了。"),
        ("fr-en", "Ça coûte 9 800 euros.", "Ça coûte 27 euros.", "It costs 27 euros.", "It costs 9,800 euros."),
        ("de-en", "Es sank auf 7,4 %.", "Es sank auf 27 %.", "It fell to 27%.", "It fell to 7.4%."),
        ("en-zh", "It has 2.5 million.", "It has 27.", "它有二十七。", "它有250万。"),
        ("zh-en", "他有3.2亿元。", "他有27元。", "He has 27 yuan.", "He has 320 million yuan."),
        ("zh-en", "他有73万元。", "他有27元。", "He has 27 yuan.", "He has 730,000 yuan."),
        ("en-de", "Call 0711 245 67.", "Call 27.", "Ruf 27 an.", "Ruf 0711 245 67 an."),
        ("zh-en", "我6月9日到。", "我星期五到。", "I arrive on Friday.", "I arrive on June 9."),
        (
            "zh-en",
            "1963年5月4日星期六开始。",
            "星期五开始。",
            "It began on Friday.",
            "It began on Saturday, May 4, 1963.",
        ),
        ("en-zh", "It is on Friday, the 9th of June.", "It is on Friday.", "在星期五。", "在6月9日星期五。"),
        (
            "en-de",
            "It ended on June 9, 1963.",
            "It ended on Friday.",
            "Es endete am Freitag.",
            "Es endete am 9. Juni 1963.",
        ),
        ("de-en", "Am 3. Mai kam er.", "Am Freitag kam er.", "He came on Friday.", "He came on May 3."),
        ("fr-en", "Il vient le 1er mai.", "Il vient vendredi.", "He comes on Friday.", "He comes on May 1."),
        ("zh-en", "1963年5月开始。", "1963年开始。", "It began in 1963.", "It began in May 1963."),
        ("en-zh", "Mt. Tariqo is high.", "Mt. Fuji is high.", "富士山很高。", "Tariqo山很高。"),
        ("en-de", "Mount Tariqo is high.", "Mount Fuji is high.", "Der Fuji ist hoch.", "Der Tariqo ist hoch."),
        ("fr-en", "Fernandez dort.", "Tom dort.", "Tom sleeps.", "Fernandez sleeps."),
        ("de-en", "Tariqos Hund schläft.", "Toms Hund schläft.", "Tom's dog sleeps.", "Tariqo's dog sleeps."),
        ("de-en", "Frau Okonkwo ist da.", "Frau Jackson ist da.", "Ms. Jackson is here.", "Ms. Okonkwo is here."),
    ],
)
def test_a_name_is_read_as_another_and_put_back(pair: str, typed: str, read: str, written: str, said: str) -> None:
    source, target = pair.split("-")
    found, placeholders = insert_placeholders(typed, source, target)
    assert found == read
    assert restore(written, placeholders, target) == said
    assert insert_placeholders(found, source, target) == (found, ())


@pytest.mark.parametrize(
    ("pair", "text"),
    [
        ("en-fr", "On Monday Tom and Mary flew from Boston to London."),
        ("en-fr", "NASA said so. Unlucky people never win."),
        ("en-fr", "Helo, how are you?"),
        ("de-en", "Die Wohnungsschlüssel liegen auf dem Küchentisch neben der Teekanne."),
        ("de-en", "Herr Lehrer, wo ist der Bahnhofsvorplatz?"),
        ("fr-en", "Composez le numéro, s'il vous plaît."),
        ("en-zh", "Have you ever seen Mt. Fuji?"),
        ("fr-en", "Célébrons. Percevant un bruit, il sortit. Bougeons d'ici !"),
        ("zh-en", "我在看DVD。"),
        ("xx-en", "Tariqo saw me."),
        ("en-fr", "It ended on June 9 in 1963, at 7:30."),
        ("en-de", "I am away from the 3rd to the 9th of June. 12 of 300 came in 2021."),
        ("zh-en", "我8月3日到9日不在。13月45日没有。"),
    ],
)
def test_what_is_known_is_read_as_it_is(pair: str, text: str) -> None:
    assert insert_placeholders(text, *pair.split("-")) == (text, ())


@pytest.mark.parametrize("pair", ["en-fr", "fr-en", "de-en", "en-de", "en-zh", "zh-en"])
def test_hostile_text_is_read_without_harm(pair: str) -> None:
    source, target = pair.split("-")
    for text in HOSTILE:
        read, placeholders = insert_placeholders(text, source, target)
        if source in ("en", "de"):
            assert restore(read, placeholders, source) == text


@pytest.mark.parametrize("pair", ["en-fr", "fr-en", "de-en", "en-de", "en-zh", "zh-en"])
def test_four_times_the_text_takes_no_more_than_some_four_times_as_long(pair: str) -> None:
    def seconds(text: str) -> float:
        runs = []
        for _ in range(3):
            start = time.process_time()
            insert_placeholders(text, *pair.split("-"))
            runs.append(time.process_time() - start)
        return min(runs)

    for each in (*REPEATED, "1.000.", "3. Mai bis "):
        assert seconds(each * 8_000) < 10 * seconds(each * 2_000), each


def test_more_names_than_stand_ins_are_left_as_they_are() -> None:
    text = "Aqqa, Beqqa, Ceqqa, Deqqa and Eqqa came."
    read, placeholders = insert_placeholders(text, "en", "fr")
    assert len(placeholders) == 3
    assert restore(read, placeholders, "en") == text
