"""Quantities: exact values, the way back, and what to write instead of what people write."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulator.units import (
    MAX_BITS_PER_S,
    MAX_BYTES,
    MAX_NS,
    QuantityError,
    format_duration,
    format_rate,
    format_size,
    parse_duration,
    parse_rate,
    parse_size,
)

Parse = Callable[[object], int]

EXACT: list[tuple[Parse, str, int]] = [
    (parse_duration, "1 ns", 1),
    (parse_duration, "50us", 50_000),
    (parse_duration, " 50  us ", 50_000),
    (parse_duration, "0.1 us", 100),
    (parse_duration, "2.5ms", 2_500_000),
    (parse_duration, "1 s", 10**9),
    (parse_duration, "10 min", 600 * 10**9),
    (parse_duration, "1 h", 3600 * 10**9),
    (parse_duration, "1e3 us", 1_000_000),
    (parse_duration, "1.5E-3 s", 1_500_000),
    (parse_duration, "0 ms", 0),
    (parse_duration, "-0 ms", 0),
    # Decimal, not binary: 0.1 + 0.2 of a float would miss these.
    (parse_duration, "0.3 us", 300),
    (parse_duration, "1.1 s", 1_100_000_000),
    (parse_duration, "999999999.999999999 s", 999_999_999_999_999_999),
    # A fraction of a nanosecond is rounded, to even in the middle.
    (parse_duration, "1.4 ns", 1),
    (parse_duration, "2.5 ns", 2),
    (parse_size, "7 B", 7),
    (parse_size, "4 kB", 4_000),
    (parse_size, "4 KiB", 4_096),
    (parse_size, "2.5 MB", 2_500_000),
    (parse_size, "4MiB", 4 * 2**20),
    (parse_size, "1 GiB", 2**30),
    (parse_size, "1 TB", 10**12),
    (parse_rate, "10 Gbit/s", 10**10),
    (parse_rate, "1 bit/s", 1),
    (parse_rate, "1.25 GB/s", 10**10),
    (parse_rate, "100Mbit/s", 10**8),
    (parse_rate, "1 KiB/s", 8192),
    (parse_rate, "0.5 kbit/s", 500),
]


@pytest.mark.parametrize(("parse", "text", "value"), EXACT, ids=[text for _, text, _ in EXACT])
def test_a_quantity_is_read_exactly(parse: Parse, text: str, value: int) -> None:
    assert parse(text) == value


INSTEAD: list[tuple[Parse, str, str]] = [
    *((parse_duration, f"5 {w}", "5 s") for w in ("sec", "second", "seconds", "S")),
    *((parse_duration, f"5 {w}", "5 ms") for w in ("msec", "MS", "Ms")),
    *((parse_duration, f"5 {w}", "5 us") for w in ("usec", "µs", "μs", "US")),
    *((parse_duration, f"5 {w}", "5 min") for w in ("m", "mins", "minutes")),
    *((parse_duration, f"5 {w}", "5 h") for w in ("hr", "hour", "hours", "H")),
    *((parse_size, f"5 {w}", "5 B") for w in ("b", "byte", "bytes")),
    *((parse_size, f"5 {w}", "5 kB") for w in ("kb", "KB", "Kb")),
    *((parse_size, f"5 {w}", "5 KiB") for w in ("K", "Kib", "kib")),
    *((parse_size, f"5 {w}", "5 MiB") for w in ("MIB", "mib", "Mi")),
    # A small b is a bit; GB/s would be eight times as much.
    *((parse_rate, f"5 {w}", "5 Gbit/s") for w in ("Gbps", "gbps", "Gb/s", "Gbits/s", "gbit/s", "Gbit", "Gb/sec")),
    *((parse_rate, f"5 {w}", "5 Mbit/s") for w in ("Mbps", "mbps", "Mb/s")),
    *((parse_rate, f"5 {w}", "5 kbit/s") for w in ("kbps", "Kbps")),
    (parse_rate, "5 bps", "5 bit/s"),
    *((parse_rate, f"5 {w}", "5 MB/s") for w in ("MBps", "MB")),
    *((parse_rate, f"5 {w}", "5 GiB/s") for w in ("GiBps", "GiB")),
]


@pytest.mark.parametrize(("parse", "text", "instead"), INSTEAD, ids=[text for _, text, _ in INSTEAD])
def test_another_spelling_is_answered_with_ours(parse: Parse, text: str, instead: str) -> None:
    with pytest.raises(QuantityError, match=f"did you mean '{instead}'"):
        parse(text)
    assert parse(instead) > 0


REFUSED: list[tuple[Parse, object, str]] = [
    (parse_duration, 5, "5 is not a duration; write it with its unit, like 50 us"),
    (parse_duration, 5.0, "5.0 is not a duration; write it with its unit"),
    (parse_duration, True, "True is not a duration"),
    (parse_duration, None, "nothing is not a duration"),
    (parse_duration, ["5 us"], "is not a duration"),
    (parse_duration, "5", "'5' is not a duration; write it like 50 us"),
    (parse_duration, "us", "is not a duration"),
    (parse_duration, "", "'' is not a duration"),
    (parse_duration, "nan s", "is not a duration"),
    (parse_duration, "inf s", "is not a duration"),
    (parse_duration, "1e400 s", "is not a duration"),
    (parse_duration, "1,5 s", "is not a duration"),
    (parse_duration, "1_000 us", "is not a duration"),
    (parse_duration, "0x10 us", "is not a duration"),
    (parse_duration, "١ us", "is not a duration"),
    (parse_duration, "5 us 3", "is not a duration"),
    (parse_duration, "9" * 100 + " s", "is not a duration"),
    (parse_duration, "-1 us", "'-1 us' is negative; a duration is not"),
    (parse_duration, "0.1 ns", "too small: the smallest duration is 1 ns"),
    (parse_duration, "1000000001 s", "larger than any duration this tool takes"),
    (parse_duration, "1 MiB", "'1 MiB' is a size, not a duration; units: ns, us, ms, s, min, h"),
    (parse_duration, "1 Gbit/s", "is a rate, not a duration"),
    (parse_duration, "1 parsec", "unknown unit 'parsec'"),
    (parse_size, "1 ms", "'1 ms' is a duration, not a size"),
    (parse_size, "0.4 B", "too small: the smallest size is 1 B"),
    (parse_size, "2000000 TB", "larger than any size this tool takes"),
    (parse_rate, "0 Gbit/s", "a rate is more than zero; write it like 10 Gbit/s"),
    (parse_rate, "1000001 Tbit/s", "larger than any rate this tool takes"),
]


@pytest.mark.parametrize(("parse", "value", "said"), REFUSED, ids=[repr(value)[:20] for _, value, _ in REFUSED])
def test_what_is_no_quantity_is_refused(parse: Parse, value: object, said: str) -> None:
    with pytest.raises(QuantityError) as caught:
        parse(value)
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("text", "written"),
    [
        (format_duration(0), "0 ns"),
        (format_duration(1_500_000), "1500 us"),
        (format_duration(90 * 10**9), "90 s"),
        (format_duration(7200 * 10**9), "2 h"),
        (format_size(4096), "4 KiB"),
        # 4000 B are no whole number of KiB, and sizes are written in binary units.
        (format_size(4000), "4000 B"),
        (format_rate(10**10), "10 Gbit/s"),
        (format_rate(1_500_000), "1500 kbit/s"),
    ],
)
def test_a_quantity_is_written_in_its_largest_whole_unit(text: str, written: str) -> None:
    assert text == written


@given(st.integers(0, MAX_NS))
def test_a_duration_survives_writing_and_reading(value: int) -> None:
    assert parse_duration(format_duration(value)) == value


@given(st.integers(0, MAX_BYTES))
def test_a_size_survives_writing_and_reading(value: int) -> None:
    assert parse_size(format_size(value)) == value


@given(st.integers(1, MAX_BITS_PER_S))
def test_a_rate_survives_writing_and_reading(value: int) -> None:
    assert parse_rate(format_rate(value)) == value
