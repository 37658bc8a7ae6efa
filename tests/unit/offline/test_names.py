"""Names by pattern: who is a person, who is the same person, what is a place or a thing, and what is neither."""

from __future__ import annotations

import pytest

from inkwright.domain.cards import Card
from inkwright.offline import cast
from inkwright.offline.names import han, latin

OLD = (
    "且说城西住着一家乡绅，姓沈，名钧，字怀远．嫡妻陶氏，性情贤淑．膝下只有一女，乳名唤作阿萝，年方七岁．"
    "这怀远素日不以功名为念．一日，怀远正在院中闲坐，忽见隔壁青石庙内寄居的穷儒走来，这人姓陆名谦，表字子衡．"
    "子衡笑道：“老先生今日好兴致．”怀远忙道：“请坐．”子衡道：“不敢．”陆子衡谢过坐下．怀远又问：“先生几时进京？”"
    "陶氏道：“阿萝又咳了．”怀远听见，忙往青石庙来寻无尘道人．无尘道人笑道：“不妨事．”无尘道人便开了方子．"
)
MODERN = (
    "林夏赶到旧渡口的时候，船已经走了。周衡说：“再等等吧。”林夏问：“等谁？”周衡没有回答，他把一盏青铜灯放下。"
    "林夏说：“这盏青铜灯是谁的？”周衡笑了笑，说道：“王掌柜的。”王掌柜站在旧渡口，看着那盏青铜灯。"
    "林夏忽然觉得青铜灯很重。如今雨停了，众人都走了。一面说，一面走。有人问：“什么时候开船？”"
)
ENGLISH = (
    'Mr. Harland came to Ashby Hall on Monday. "You are late," said Eleanor. Mr. Harland bowed, and Eleanor '
    "laughed. Harland had lived in Wexbridge for years; everybody at Wexbridge knew him. However, nobody liked "
    "Mrs. Harland. When Mrs. Harland spoke, Eleanor Price looked away. She went from Wexbridge to London. "
    "The rain fell. Perhaps Eleanor would stay in London too."
)


def _people(text: str, title: str = "") -> dict[str, tuple[str, ...]]:
    return {entity.name: entity.forms for entity in han.people(text, title)}


def test_surname_name_and_style_are_one_person() -> None:
    """Somebody of whom surname, name and style are told is one, under the name that the text uses."""
    people = _people(OLD)
    assert any({"怀远"} <= set(forms) for forms in people.values())
    assert people["陆子衡"] == ("陆子衡", "子衡")
    assert sum("怀远" in forms for forms in people.values()) == 1


def test_who_speaks_is_called_so_or_bears_a_calling_is_a_person() -> None:
    """Speakers, the named, and names with a title or calling are found; the calling is part of the name."""
    people = _people(OLD)
    assert {"阿萝", "陶氏", "无尘道人"} <= people.keys()
    assert set(_people(MODERN)) == {"林夏", "周衡", "王掌柜"}


@pytest.mark.parametrize("word", ["众人", "有人", "一面", "如今", "忽然", "先生", "他", "老先生", "什么时"])
def test_words_at_the_place_of_a_subject_are_no_names(word: str) -> None:
    """Pronouns, kin, crowds and adverbs before a verb of saying name nobody."""
    for text in (OLD, MODERN):
        assert all(word not in forms for forms in _people(text).values())


def test_a_known_name_is_found_however_rare() -> None:
    """A name that the writer put on a card needs no evidence."""
    text = "那天夜里，阿九在门口站了很久。"
    assert not han.people(text)
    assert [entity.name for entity in han.people(text, known=["阿九"])] == ["阿九"]


def test_places_are_led_to_and_things_are_counted() -> None:
    """A place has the ending of one and something that leads to it; a thing is counted and comes back."""
    names = [form for entity in han.people(MODERN) for form in entity.forms]
    assert [entity.name for entity in han.places(MODERN, names)] == ["旧渡口"]
    assert [entity.name for entity in han.things(MODERN, names)] == ["青铜灯"]
    assert "青石庙" in [entity.name for entity in han.places(OLD)]
    assert han.places("他参观了公园，全国各省都关心机关的主观态度，出城，进城，上山，下山。") == []


def test_english_people_and_places_are_told_apart() -> None:
    """Titles and verbs make people, prepositions and endings make places; openings of sentences make neither."""
    found = latin.entities(ENGLISH)
    people = {e.name: e.forms for e in found if e.kind == "character"}
    places = {e.name for e in found if e.kind == "location"}
    assert set(people) == {"Mr. Harland", "Mrs. Harland", "Eleanor Price"}
    assert people["Mr. Harland"] == ("Mr. Harland", "Harland")
    assert people["Eleanor Price"] == ("Eleanor Price", "Eleanor")
    assert {"Wexbridge", "London"} <= places
    assert not {"Monday", "However", "Perhaps", "The", "She"} & {form for e in found for form in e.forms}


def test_all_names_of_a_card_are_one_person():
    """An alias, and a name in another script, as the writer wrote them down; a name that two cards share joins nobody."""
    text = (
        "Maren waited. Old Tam said nothing, and the ferryman rowed. “Tam,” said Maren, “who is 林夏?” "
        "The ferryman laughed. 林夏 was his daughter. Maren laughed too."
    )
    people = (
        Card("t.md", "Old Tam", "character", "character", aliases=("the ferryman", "The ferryman", "Tam")),
        Card("l.md", "林夏", "character", "character"),
    )
    found = {one.name: one.count for one in cast.read(text, "", "en", people).of("character")}
    assert found == {"Maren": 3, "Old Tam": 4, "林夏": 2}
    shared = (
        Card("a.md", "林晚秋", "character", "character", aliases=("秋儿",)),
        Card("b.md", "周秋", "character", "character", aliases=("秋儿",)),
    )
    text = "林晚秋说：“秋儿呢？”周秋说：“秋儿走了。”林晚秋说：“走了。”周秋说：“是。”"
    found = {one.name: one.forms for one in cast.read(text, "", "zh", shared).of("character")}
    assert "秋儿" not in found["林晚秋"]
    assert "秋儿" not in found["周秋"]
