"""Names that a translation must hold, Chinese names in pinyin, and places in four languages."""

import pytest

from explorer.data.parallel.chinese_names import chinese_names
from explorer.data.parallel.expected_names import expected_names
from explorer.data.parallel.placeholders import insert_placeholders
from explorer.data.parallel.places import LANGUAGES, find_places


def expected(text: str, pair: str) -> dict[str, str]:
    return {each.typed: each.there for each in expected_names(text, *pair.split("-"))}


@pytest.mark.parametrize(
    ("pair", "text", "names"),
    [
        ("de-en", "Frau Schneider wohnt in München.", {"Schneider": "Schneider", "München": "Munich"}),
        ("de-en", "Die Schneider nähen Kleider, der Bäcker backt.", {}),
        ("de-en", "Auf Livingston Island lebt niemand.", {}),
        ("en-fr", "Michael Jordan lives in Geneva.", {"Michael Jordan": "Michael Jordan", "Geneva": "Genève"}),
        ("en-fr", "Nice weather! Will you come?", {}),
        ("fr-en", "Le train de Nice à Lyon.", {"Nice": "Nice", "Lyon": "Lyon"}),
        ("fr-en", "Il habite aux Pays-Bas avec Thomas.", {"Pays-Bas": "Netherlands", "Thomas": "Thomas"}),
        ("en-zh", "Tom went to Vienna with Sarah Miller.", {"Sarah Miller": "Sarah Miller", "Vienna": "维也纳"}),
        ("zh-en", "他住在日内瓦。", {"日内瓦": "Geneva"}),
    ],
)
def test_names_are_expected(pair: str, text: str, names: dict[str, str]) -> None:
    assert expected(text, pair) == names


def test_a_name_is_in_a_translation_in_any_of_its_forms() -> None:
    poland, peter = expected_names("Er kommt mit Peter aus Polen.", "de", "fr")
    if peter.kind != "person":
        poland, peter = peter, poland
    assert peter.is_in("Il vient avec Pierre.")
    assert not peter.is_in("Il vient avec pouvoir.")
    assert poland.is_in("Il est Polonais.")
    assert not poland.is_in("Il vient.")


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("我的朋友王伟住在成都。", {"王伟": "Wang Wei"}),
        ("王先生和李小姐来了。", {"王": "Wang", "李": "Li"}),
        ("我叫张丽华。", {"张丽华": "Zhang Lihua"}),
        ("欧阳娜娜会拉大提琴。", {"欧阳娜娜": "Ouyang Nana"}),
        ("昨天我和张伟去看电影了。", {"张伟": "Zhang Wei"}),
        ("小明说爱因斯坦出生于德国。", {"小明": "Xiaoming", "爱因斯坦": "Einstein"}),
        *((text, {}) for text in ("高兴的时候他唱歌。", "马上就来。", "王国很大。", "方法很简单。", "我想成为医生。")),
        *(
            (text, {})
            for text in ("欧洲的人口比亚洲少。", "我向老师寻求建议。", "小红太阳在水里。", "韩国是一个国家。")
        ),
    ],
)
def test_chinese_names_are_found_and_common_words_are_not(text: str, names: dict[str, str]) -> None:
    assert {each.typed: each.there for each in chinese_names(text)} == names


def test_a_place_is_found_in_the_forms_of_its_language() -> None:
    counts = {"en": 1, "fr": 2, "de": 2, "zh": 1}
    found = {each: len(list(find_places("In Paris, Athen, 巴黎, Londres", each))) for each in LANGUAGES}
    assert found == counts
    (one,) = find_places("我吃了一个汉堡，在巴黎。", "zh")
    assert one.place.forms == {"en": ("Paris",), "fr": ("Paris",), "de": ("Paris",), "zh": ("巴黎",)}
    assert not list(find_places("法国人坐在长沙发上。", "zh"))


@pytest.mark.parametrize(
    ("pair", "typed", "read"),
    [
        ("de-en", "Frau Schneider wohnt in München.", "Frau Jackson wohnt in Boston."),
        ("de-en", "Er ist in der Türkei.", "Er ist in der Schweiz."),
        ("fr-en", "Le Danube traverse la Hongrie.", "Le Rhin traverse la Chine."),
        ("en-fr", "The Netherlands is small.", "The United States is small."),
        ("fr-en", "Il va en Autriche.", "Il va en Autriche."),  # no country that stands in begins with a vowel
        ("zh-en", "王先生住在西安。", "杰克逊先生住在波士顿。"),
    ],
)
def test_where_a_name_was_lost_another_is_read_for_it(pair: str, typed: str, read: str) -> None:
    assert insert_placeholders(typed, *pair.split("-"), every_name=True)[0] == read
