"""Files that are not scenarios, by accident or on purpose: one clear sentence, soon, and no traceback."""

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from simulator.errors import InvalidInputError
from simulator.scenario import reading
from simulator.scenario.loader import load_scenario
from simulator.scenario.reading import MAX_FILE_BYTES, MAX_NODES, parse
from tests.builders import scenario_yaml

GOOD = scenario_yaml()
LINES = GOOD.count("\n")


def refusal(folder: Path, content: bytes | str) -> str:
    """Return what is said of a file with this content, without the path of the folder."""
    path = folder / "f.yaml"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(InvalidInputError) as caught:
        load_scenario(path)
    return str(caught.value).replace(f"{folder}/", "")


# What a file holds, and the first line that is said of it (the second one when the first only counts).
REFUSED: dict[str, tuple[bytes | str, str]] = {
    "empty": ("", "f.yaml:1:1: a scenario is a mapping of fields, not an empty file"),
    "only a comment": ("# nothing\n", "f.yaml:1:1: a scenario is a mapping of fields, not an empty file"),
    "a list": ("- a\n- b\n", "f.yaml:1:1: a scenario is a mapping of fields, not a list"),
    "a text": ("hello\n", "f.yaml:1:1: a scenario is a mapping of fields, not a text"),
    "a number": ("12\n", "f.yaml:1:1: a scenario is a mapping of fields, not a single value"),
    "tab": ("name: a\ncluster:\n\tps: 1\n", "f.yaml:3:1: not YAML: a tab cannot stand here; indent with spaces"),
    "indentation": ("name: a\n  b: c\n", "f.yaml:2:4: not YAML: mapping values are not allowed here"),
    "unclosed": ("name: a\ncluster: {ps: [1\n", "(it began in line 2, column 15)"),
    "no such alias": ("name: *x\n", "f.yaml:1:7: not YAML: found undefined alias 'x'"),
    "two documents": (GOOD + "---\n" + GOOD, f"f.yaml:{LINES + 1}:1: not YAML: expected a single document"),
    "bell": (GOOD + 'description: "a\ab"\n', f"f.yaml:{LINES + 1}:16: not YAML: unacceptable character #x0007"),
    "nul": (GOOD + 'description: "a\0b"\n', f"f.yaml:{LINES + 1}:16: not YAML: unacceptable character #x0000"),
    "utf-16": (GOOD.encode("utf-16"), "f.yaml:1:1: UTF-16; save the file as UTF-8"),
    # é is the 14th character: description: caf is 16 long, so column 17.
    "latin-1": (b"name: a\ndescription: caf\xe9\n", "f.yaml:2:17: not UTF-8 text (byte 24); save the file as UTF-8"),
    "binary": (bytes(range(128, 256)), "f.yaml:1:1: not UTF-8 text (byte 0)"),
    "python object": ("name: !!python/object/apply:os.system [ls]\n", "!!python/object/apply:os.system means nothing"),
    "own tag": (GOOD + "description: !secret x\n", f"f.yaml:{LINES + 1}:14: the tag !secret means nothing here"),
    "set": (GOOD + "description: !!set {a}\n", f"f.yaml:{LINES + 1}:14: the tag !!set means nothing here"),
    "itself": ("a: &a [*a]\n", "f.yaml:1:4: nested deeper than 40 levels"),
    # The mapping is level 1, so the 40th bracket, in column 43, opens level 41; the rest is not read.
    "deep flow": ("a: " + "[" * 100_000, "f.yaml:1:43: nested deeper than 40 levels"),
    "deep mapping": ("{a: " * 3000 + "}" * 3000, "nested deeper than 40 levels"),
    "deep block": ("".join(" " * i + "a:\n" for i in range(3000)), "nested deeper than 40 levels"),
    "merge": (GOOD.replace("{tasks: 1}", "{<<: {tasks: 1}}", 1), "merging ('<<') is not part of the format"),
    "list as key": (GOOD + "? [a, b]\n: 1\n", f"f.yaml:{LINES + 1}:3: a key is a word, not a list or mapping"),
    "half a character": (GOOD + 'description: "\\ud800"\n', "holds half a character (a lone surrogate)"),
    "half a character in a key": (GOOD + '"\\ud800": 1\n', f"f.yaml:{LINES + 1}:1: unknown field '\ufffd'"),
    "many digits": (GOOD + f"seed: {'9' * 5000}\n", f"f.yaml:{LINES + 1}:7: a number of 5000 digits is larger"),
    "beyond 64 bits": (GOOD + f"seed: {2**63}\n", f"{2**63} is out of range; it is at most {2**63 - 1}"),
    "version beyond 64 bits": (GOOD + f"version: {10**30}\n", "is not a number this tool takes: it is too large"),
    "inf": (GOOD.replace("compute:", "learning_rate: 1e400\n  compute:"), "inf is not a finite number"),
    "long text": (GOOD + f'description: "{"x" * 10_001}"\n', "this has 10001 characters; at most 10000 are taken"),
    "an index of many digits": (
        GOOD.replace("worker: {tasks: 1}", f'worker: {{tasks: 1}}\n  colocate: [["ps:{"9" * 5000}"]]'),
        "is no task; write it like ps:0 or worker:1",
    ),
    "a port of many digits": (
        GOOD.replace("ps: {tasks", f'addresses: {{ps: ["a:{"9" * 5000}"], worker: ["a:1"]}}\n  ps: {{tasks'),
        "is no address; write it like ps0.example.com:2222",
    ),
    "empty name": (GOOD.replace("name: built", 'name: ""'), "f.yaml:1:7: '' is no name; use small letters"),
    "name with a line end": (GOOD.replace("name: built", 'name: "a\\n"'), r"f.yaml:1:7: 'a\n' is no name"),
    "date": (GOOD + "seed: 2020-01-01\n", "'2020-01-01' is not a whole number"),
    "yes": (GOOD + "seed: yes\n", "'yes' is not a whole number"),
    "float": (GOOD + "seed: 1.0\n", "1.0 is not a whole number"),
    "nothing behind the colon": (GOOD + "seed:\nfaults: []\n", f"f.yaml:{LINES + 1}:1: 'seed' has no value"),
    "rank": (GOOD.replace("[10]", "[" + "1," * 300 + "]"), "this has 300 items; at most 254 are taken"),
    "large variable": (GOOD.replace("[10]", "[1000000, 1000000, 1000000]"), "larger than any this tool takes"),
    "last_step 0": (GOOD.replace("last_step: 10", "last_step: 0"), "0 is out of range; it is at least 1"),
    "number as text": (GOOD.replace("compute:", 'learning_rate: "0.1"\n  compute:'), "'0.1' is not a number"),
    "truth as number": (GOOD.replace("compute:", "learning_rate: true\n  compute:"), "True is not a number"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_a_file_is_refused_with_one_clear_sentence(what: str, tmp_path: Path) -> None:
    content, said = REFUSED[what]
    assert content != GOOD
    assert said in refusal(tmp_path, content)


@pytest.mark.parametrize(
    "content",
    [
        "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
        + "".join(f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]\n" for i in range(1, 10)),
        "a0: &a0 {a: x, b: x}\n" + "".join(f"a{i}: &a{i} {{a: *a{i - 1}, b: *a{i - 1}}}\n" for i in range(1, 30)),
    ],
    ids=["lists", "mappings"],
)
def test_an_alias_bomb_is_refused_before_it_goes_off(
    content: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Unfolded it holds 10**10 (2**30) values: this test ends only because unfolding stops at the limit.
    monkeypatch.setattr(reading, "MAX_NODES", 5000)
    assert "(or its aliases unfold to) more than 5000 values" in refusal(tmp_path, content)


@pytest.mark.slow
def test_a_file_of_a_million_values_is_not_read_to_its_end(tmp_path: Path) -> None:
    content = GOOD + "faults:\n" + "- a: 1 # 345\n" * 1_100_000
    assert len(content) < MAX_FILE_BYTES
    started = time.perf_counter()
    assert f"more than {MAX_NODES} values" in refusal(tmp_path, content)
    assert time.perf_counter() - started < 60


def test_a_large_file_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "large.yaml"
    with path.open("wb") as stream:
        stream.truncate(50 << 20)
    with pytest.raises(InvalidInputError, match="is larger than 16 MiB; not a scenario"):
        load_scenario(path)


def test_what_is_not_a_file_is_said(tmp_path: Path) -> None:
    with pytest.raises(InvalidInputError, match="is a folder, not a scenario file"):
        load_scenario(tmp_path)
    with pytest.raises(InvalidInputError, match="No such file or directory; give the path of a scenario file"):
        load_scenario(tmp_path / "missing.yaml")
    # Reading its first byte fails with EIO, for root as well (whom no permission stops).
    with pytest.raises(InvalidInputError, match="cannot be read: Input/output error"):
        load_scenario("/proc/self/mem")


@pytest.mark.parametrize("encode", [lambda t: t.replace("\n", "\r\n"), lambda t: t.replace("\n", "\r"), lambda t: t])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"], ids=["", "BOM"])
def test_line_ends_and_a_byte_order_mark_change_nothing(
    encode: Callable[[str], str], mark: bytes, tmp_path: Path
) -> None:
    path = tmp_path / "f.yaml"
    path.write_bytes(mark + encode(GOOD).encode())
    assert load_scenario(path).name == "built"
    assert f"f.yaml:{LINES + 1}:1: unknown field 'sed'" in refusal(tmp_path, mark + encode(GOOD + "sed: 1\n").encode())


@pytest.mark.parametrize("separator", ["\u2028", "\x85"])
def test_what_only_unicode_calls_a_line_end_moves_no_line_number(separator: str, tmp_path: Path) -> None:
    said = refusal(tmp_path, GOOD + f'description: "a{separator}b"\nsed: 1\n')
    assert f"f.yaml:{LINES + 2}:1: unknown field 'sed'" in said
    assert f"{LINES + 2} | sed: 1" in said


def test_words_that_yaml_1_1_took_for_truths_are_words() -> None:
    document = parse("[yes, no, on, off, y, n, true, false, null]", file="f")
    assert document.data == ["yes", "no", "on", "off", "y", "n", True, False, None]


def test_numbers_are_those_of_yaml_1_2() -> None:
    document = parse("[010, 0o10, 0x10, 1e3, 1:30, .inf, 1_000]", file="f")
    # No octal without 0o, no sexagesimal.
    assert document.data == [10, 8, 16, 1000.0, "1:30", float("inf"), 1000]


def test_an_anchor_may_be_used_and_given_again() -> None:
    # Warnings are errors here: ruamel would warn of the second anchor.
    assert parse("[&a 1, *a, &a 2, *a]", file="f").data == [1, 1, 2, 2]


def test_places_count_from_1_and_are_those_of_keys_and_values() -> None:
    document = parse("a: 1\nb:\n  - c: [x,  y]\n", file="f")
    assert (document.keys["b", 0, "c"].line, document.keys["b", 0, "c"].column) == (3, 5)
    assert (document.values["b", 0, "c", 1].line, document.values["b", 0, "c", 1].column) == (3, 13)
