"""Scripts: what can be written, what is matched, and every mistake said with its place."""

from __future__ import annotations

import copy
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from antiphon.emulators import Script, ScriptError
from antiphon.emulators.base import read_wav
from antiphon.emulators.script import BEATS, HEARD, Beat, ScriptPlayback

EXAMPLES = Path(__file__).parents[2] / "examples" / "emulate"


def playback(*steps: Any, rules: Any = ()) -> ScriptPlayback:
    return ScriptPlayback(Script.parse({"steps": list(steps), "rules": list(rules)}))


def replied(with_: dict[str, Any], facts: dict[str, Any], say: str = "{1}") -> str | None:
    """What a rule with this match answers to these facts, or None."""
    rule = {"on": "text", "with": with_, "reply": [{"say": say}]}
    beats = playback(rules=[rule]).next_reply("text", facts)
    return None if beats is None else str(beats[0].value)


# -- reading ------------------------------------------------------------------------------------


def test_a_list_is_a_script_of_steps() -> None:
    script = Script.parse([{"on": "text", "reply": [{"say": "Hi."}, "complete"]}])
    (step,) = script.steps
    assert step.reply == (Beat("say", "Hi."), Beat("complete", True))
    assert not script.rules


def test_options_of_a_beat_stand_beside_it_and_one_call_is_a_list_of_one() -> None:
    script = Script.parse(
        [
            {
                "on": "text",
                "reply": [
                    {"status": 429, "retry_after": 3},
                    {"call": {"name": "a"}, "done": False},
                    {"audio": None, "wav": "x.wav"},
                ],
            }
        ]
    )
    assert script.steps[0].reply == (
        Beat("status", 429, {"retry_after": 3}),
        Beat("calls", [{"name": "a"}], {"done": False}),
        Beat("audio", 0, {"wav": "x.wav"}),
    )


def test_yaml_takes_a_bare_on_for_a_word(tmp_path: Path) -> None:
    path = tmp_path / "script.yaml"
    path.write_text("steps:\n  - on: text\n    reply:\n      - drop\n")
    assert Script.load(path).steps[0].on == "text"


def test_the_keys_of_a_beat_have_no_order() -> None:
    either = [{"status": 429, "retry_after": 3600}, {"retry_after": 3600, "status": 429}]
    first, second = (
        Script.parse([{"on": "text", "reply": [one]}]).steps[0].reply for one in either
    )
    assert first == second == (Beat("status", 429, {"retry_after": 3600}),)


def test_files_are_looked_for_beside_the_script(tmp_path: Path) -> None:
    path = tmp_path / "script.yaml"
    path.write_text("steps:\n  - {on: text, reply: [{say: Hi, wav: hi.wav}, {say: Bye}]}\n")
    first, second = Script.load(path).steps[0].reply
    assert first.options["wav"] == str(tmp_path / "hi.wav")
    assert second == Beat("say", "Bye")


def test_an_empty_script_expects_nothing() -> None:
    ScriptPlayback(Script.parse({})).check()


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.yaml")), ids=lambda path: path.name)
def test_the_examples_can_be_read(path: Path) -> None:
    assert Script.load(path).steps


def test_the_script_that_ships_does_as_it_is_told() -> None:
    from antiphon.emulators import base

    rules = ScriptPlayback(Script.load(Path(base.__file__).with_name("default.yaml")))

    def hear(kind: str, **facts: Any) -> Beat:
        beats = rules.next_reply(kind, facts)
        assert beats
        return beats[-1]

    assert hear("text", text="Hello").value == "You said: Hello"
    call = hear("text", text='call find {"deep": {"er": 1}}')
    assert call == Beat("calls", [{"name": "find", "arguments": '{"deep": {"er": 1}}'}])
    assert hear("text", text="call find") == Beat("calls", [{"name": "find"}])
    done = hear("results", ok=True, results=[{"id": "a"}])
    assert done.value == 'Done. The tools answered: [{"id": "a"}]'
    assert hear("results", ok=False, results=[]).value.startswith("That did not work.")
    assert hear("audio", ms=3000).value == "I hear you."
    rules.check()


# -- mistakes -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("text", "script: a script is a mapping with `steps` or `rules`"),
        (None, "script: a script is a mapping with `steps` or `rules`"),
        ({"step": []}, "script: 'step' is not known here; did you mean 'steps'?"),
        ({"steps": {}}, None),
        ({"steps": {"on": "text"}}, "script: steps: must be a list"),
        ({"rules": "x"}, "script: rules: must be a list"),
        ({"options": [1]}, "script: options: must be a mapping"),
        (["text"], "script: step 1: must be a mapping with `on` and `reply`"),
        ([{}], "script: step 1: on: must be one of connect, text, audio"),
        ([{"on": "texts"}], "did you mean 'text'?"),
        (
            [{"on": "text", "replay": []}],
            "step 1: 'replay' is not known here; did you mean 'reply'",
        ),
        ([{"on": "text", "with": "x"}], "step 1: with: must be a mapping"),
        ([{"on": "text", "with": {"text": "/(/"}}], "step 1: with: /(/ is no pattern: missing )"),
        ([{"on": "audio", "with": {"ms": "1"}}], "step 1: with: ms: must be a number, not '1'"),
        ([{"on": "text", "times": 0}], "step 1: times: must be a whole number from 1"),
        ([{"on": "text", "times": True}], "step 1: times: must be a whole number from 1"),
        ([{"on": "text", "reply": "drop"}], "step 1: reply: must be a list"),
        ([{"on": "text"}, {"on": "text", "reply": [7]}], "step 2, beat 1: must be a mapping like"),
        ([{"on": "text", "reply": [{}]}], "beat 1: must be a mapping like `say: Hello.`"),
        ([{"on": "text", "reply": ["dropp"]}], "beat 1: 'dropp' is no beat; did you mean 'drop'?"),
        ([{"on": "text", "reply": ["drop", {"say": 1}]}], "beat 2: say: must be str, not 1"),
        ([{"on": "text", "reply": [{"audio": True}]}], "audio: must be int, not True"),
        ([{"on": "text", "reply": [{"audio": None}]}], "audio: must be int, not None"),
        ([{"on": "text", "reply": [{"complete": 1}]}], "complete: must be bool or str, not 1"),
        ([{"on": "text", "reply": [{"calls": [1]}]}], "calls: each is a mapping with id, name"),
        ([{"on": "text", "reply": [{"call": {"name": 1}}]}], "calls: each is a mapping with id"),
        ([{"on": "text", "reply": [{"speech": "began"}]}], "speech: must be started or stopped"),
        ([{"on": "text", "reply": [{"status": 42}]}], "status: must be a status of HTTP"),
        ([{"on": "text", "reply": [{"close": 70000}]}], "close: must be a code from 0 to 65535"),
        ([{"on": "text", "reply": [{"wait": -1}]}], "wait: must be 0 or more, not -1"),
        ([{"on": "text", "reply": [{"usage": {"input": "x"}}]}], "usage: must be whole numbers"),
        ([{"on": "text", "reply": [{"say": "Hi", "wait": 1}]}], "say and wait are two beats"),
        ([{"on": "text", "reply": [{"say": "Hi", "wav": 1}]}], "wav: must be the path of a file"),
        ({"rules": [{"on": "text", "reply": ["x"]}]}, "script: rule 1, beat 1: 'x' is no beat"),
    ],
)
def test_a_mistake_is_said_with_its_place(body: Any, message: str | None) -> None:
    if message is None:
        Script.parse(body)
        return
    with pytest.raises(ScriptError, match=re.escape(message)):
        Script.parse(body)


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(ScriptError, match=r"nothing\.yaml cannot be read: No such file"):
        Script.load(tmp_path / "nothing.yaml")
    path = tmp_path / "bad.yaml"
    path.write_text("steps: [")
    with pytest.raises(ScriptError, match=r"(?s)bad\.yaml is not YAML: .*line 1"):
        Script.load(path)
    path.write_text("steps: 2001-99-99")
    with pytest.raises(ScriptError, match=r"bad\.yaml is not YAML: a value is not of the type"):
        Script.load(path)
    path.write_bytes(b"steps: \xff")
    with pytest.raises(ScriptError, match=r"bad\.yaml is not YAML"):
        Script.load(path)
    path.write_text("steps: [{on: text, reply: [dropp]}]")
    with pytest.raises(ScriptError, match=r"bad\.yaml: step 1, beat 1: 'dropp' is no beat"):
        Script.load(path)


def test_a_wav_of_another_shape_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.wav"
    path.write_bytes(b"RIFF")
    with pytest.raises(ScriptError, match="cannot be read as WAV"):
        read_wav(path)
    path.write_bytes(b"RIFF\x04\0\0\0WAVEfmt \x10\0\0\0" + bytes(16))
    with pytest.raises(ScriptError, match=r"cannot be read as WAV: \w"):
        read_wav(path)
    with pytest.raises(ScriptError, match="cannot be read as WAV"):
        read_wav(tmp_path / "nothing.wav")


VALUES: dict[type, Any] = {
    str: "started",
    int: 250,
    float: 1.5,
    bool: True,
    list: [],
    dict: {},
}
beats = st.sampled_from([{kind: VALUES[types[0]]} for kind, types in BEATS.items()])
steps = st.fixed_dictionaries(
    {"on": st.sampled_from(sorted(HEARD)), "reply": st.lists(beats, max_size=4)}
)
WRONG_STEPS = [
    lambda step: step.update(on="nothing"),
    lambda step: step.update(reply={"x": 1}),
    lambda step: step.update(times="twice"),
    lambda step: step.update({"with": [1]}),
    lambda step: step.update(replies=[]),
]
WRONG_BEATS = [{"nothing": 1}, {"say": 1}, {"wait": "long"}, [], {"calls": "x"}, {"raw": None}]


@given(st.lists(steps, max_size=5), st.data())
def test_every_mistake_is_found_wherever_it_stands(scripted: Any, data: st.DataObject) -> None:
    Script.parse(scripted)  # as it is, there is none
    broken = copy.deepcopy(scripted)
    at = data.draw(st.integers(0, len(broken)))
    step = {"on": "text", "reply": copy.deepcopy(data.draw(st.lists(beats, max_size=3)))}
    broken.insert(at, step)
    if data.draw(st.booleans()):
        data.draw(st.sampled_from(WRONG_STEPS))(step)
        place = f"step {at + 1}: "
    else:
        number = data.draw(st.integers(0, len(step["reply"])))
        step["reply"].insert(number, data.draw(st.sampled_from(WRONG_BEATS)))
        place = f"step {at + 1}, beat {number + 1}: "
    with pytest.raises(ScriptError, match=re.escape(f"name: {place}")):
        Script.parse(broken, "name")
    with pytest.raises(ScriptError, match=re.escape(place.replace("step", "rule"))):
        Script.parse({"rules": broken}, "name")


# -- matching -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wanted", "found", "fits"),
    [
        ("Seoul", "In Seoul?", True),
        ("Seoul", "In Busan?", False),
        ("Seoul", None, False),
        ("/^In (\\w+)/", "In Seoul?", True),
        ("/^Seoul/", "In Seoul?", False),
        ("/x/", 7, False),
        ({"a": "x"}, {"a": "xyz", "b": 1}, True),
        ({"a": "x"}, {"b": 1}, False),
        ({"a": {"b": 2}}, {"a": {"b": 2, "c": 3}}, True),
        (["a"], ["b", "a"], True),
        (["a", "c"], ["b", "a"], False),
        ([{"id": "1"}], [{"id": "1", "name": "x"}], True),
        (2, 2, True),
        (2, 3, False),
        (None, None, True),
        (True, False, False),
    ],
)
def test_a_match_is_part_of_what_was_heard(wanted: Any, found: Any, fits: bool) -> None:
    assert (replied({"fact": wanted}, {"fact": found}) is not None) is fits


def test_audio_is_matched_once_there_is_enough_of_it() -> None:
    play = playback({"on": "audio", "with": {"ms": 500}, "reply": ["complete"]})
    assert play.next_reply("audio", {"ms": 480}) is None
    assert play.next_reply("audio", {"ms": 520}) is not None
    play.check()


def test_replies_repeat_what_was_heard() -> None:
    facts = {"text": "In Seoul", "count": 2, "names": ["é"]}
    assert replied({"text": "/In (\\w+)/"}, facts, "{1}? {text}! {count} {names} {0}") == (
        'Seoul? In Seoul! 2 ["é"] {0}'
    )
    assert replied({"text": "/(a)?In/"}, facts, "<{1}>") == "<>"
    rule = {"on": "text", "reply": [{"call": {"name": "a", "args": {"city": ["{text}"]}}}]}
    (beat,) = playback(rules=[rule]).next_reply("text", {"text": "Seoul"}) or ()
    assert beat.value == [{"name": "a", "args": {"city": ["Seoul"]}}]


def test_what_was_heard_is_not_taken_for_a_template() -> None:
    assert replied({}, {"text": "{model}", "model": "x"}, "{text}") == "{model}"


# -- playing ------------------------------------------------------------------------------------


def test_steps_are_played_in_order_and_rules_after_them() -> None:
    play = playback(
        {"on": "text", "reply": [{"say": "one"}], "times": 2},
        {"on": "results", "reply": [{"say": "two"}]},
        rules=[{"on": "text", "reply": [{"say": "rule"}]}],
    )
    heard = ["text", "text", "results", "text", "text"]
    said = [(play.next_reply(kind, {}) or [Beat("say", None)])[0].value for kind in heard]
    assert said == ["one", "one", "two", "rule", "rule"]
    play.check()


def test_a_rule_does_not_hide_what_the_steps_did_not_foresee() -> None:
    play = playback({"on": "results"}, rules=[{"on": "text"}])
    assert play.next_reply("text", {"text": "Hello"}) is None
    with pytest.raises(AssertionError) as caught:
        play.check()
    assert "unexpected text {'text': 'Hello'}; script: step 1 waits for results" in str(
        caught.value
    )
    assert "script: step 1: never reached: results" in str(caught.value)


def test_what_needs_no_answer_may_go_without_one() -> None:
    play = playback()
    for kind, optional in HEARD.items():
        assert play.next_reply(kind, {}) is None
        assert bool(play.problems) is not optional
        play.problems.clear()


def test_a_long_thing_is_shortened_in_the_report() -> None:
    play = playback()
    play.next_reply("text", {"text": "x" * 5000})
    (problem,) = play.problems
    assert len(problem) < 500
    assert "no step is left" in problem


def test_a_step_that_was_reached_too_seldom_is_reported_with_what_it_waits_for() -> None:
    play = playback({"on": "text", "with": {"text": "Hi"}, "times": 2})
    play.next_reply("text", {"text": "Hi"})
    assert play.unfinished() == ["script: step 1: never reached: text {'text': 'Hi'}"]


def test_what_is_heard_may_be_written_as_well() -> None:
    step = {
        "on": "audio_end",
        "reply": [{"hear": "What time is it?"}, {"say": "Noon."}],
    }
    written = playback(step, step)
    assert written.next_reply("text", {"text": "Well. What time is it?"}) == (Beat("say", "Noon."),)
    spoken = (Beat("hear", "What time is it?"), Beat("say", "Noon."))
    assert written.next_reply("audio_end", {}) == spoken
    other = playback(step)
    assert other.next_reply("text", {"text": "Hello"}) is None
    assert "waits for audio_end" in other.problems[0]
