"""A profile's measured costs replace a scenario's assumed ones; its faults are shown where it is named."""

from pathlib import Path

import pytest

from simulator.errors import DocumentError
from simulator.scenario.loader import dump_scenario, load_scenario, loads_scenario
from simulator.scenario.profile import Fit, Profile, dump_profile, load_profile
from simulator.scenario.resolve import DEFAULTS, goodput, resolve
from simulator.scenario.workload import Costs
from tests.builders import scenario, scenario_yaml


def write(folder: Path, profile: str, **changes: object) -> Path:
    (folder / "p.yaml").write_text(profile)
    path = folder / "f.yaml"
    path.write_text(scenario_yaml(workload__profile="p.yaml", **changes))
    return path


def test_a_profile_survives_writing_and_reading(tmp_path: Path) -> None:
    profile = Profile(
        measured={"machine": "two cores", "tensorflow": "2.21"},
        holds_for="up to 1 MiB",
        costs=Costs.model_validate({"apply": "20500 ns", "goodput": 0.95}),
        fits={"apply": Fit(samples=100, mean_us=20.5, sd_us=1.25)},
        residuals={"step": 0.01},
    )
    (tmp_path / "p.yaml").write_text(dump_profile(profile))
    assert load_profile(tmp_path / "p.yaml") == profile


def test_what_a_profile_measured_wins_and_the_rest_stays(tmp_path: Path) -> None:
    path = write(tmp_path, "costs: {apply: 7 us}\n", workload__costs={"apply": "1 us", "message_send": "2 us"})
    made = load_scenario(path)
    assert (made.workload.costs.apply, made.workload.costs.message_send) == (7_000, 2_000)
    assert made.workload.costs.goodput is None


def test_a_scenario_as_run_stands_without_its_profile(tmp_path: Path) -> None:
    made = load_scenario(write(tmp_path, "costs: {apply: 7 us}\n"))
    (tmp_path / "p.yaml").unlink()
    text = dump_scenario(made)
    assert "profile" not in text
    assert loads_scenario(text) == made


def test_faults_of_a_profile_name_their_place_in_it(tmp_path: Path) -> None:
    path = write(tmp_path, "version: 1\ncosts:\n  aply: 7 us\n  goodput: 2\n", training={"last_step": 0})
    with pytest.raises(DocumentError) as caught:
        load_scenario(path)
    found = [(f.path, f.message) for f in caught.value.faults]
    assert (
        "workload.profile",
        f"the profile cannot be used: {tmp_path}/p.yaml:3:3: unknown field 'aply'; did you mean 'apply'? @ costs.aply",
    ) in found
    assert (
        "workload.profile",
        f"the profile cannot be used: {tmp_path}/p.yaml:4:12: 2 is out of range; it is at most 1 @ costs.goodput",
    ) in found
    assert "training.last_step" in {path for path, _ in found}


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("missing.yaml", "missing.yaml: cannot be read: No such file or directory; give the path of a profile file"),
        (".", "is a folder, not a profile file"),
        ("a\0b", "cannot be read: embedded null byte"),
        ("/dev/zero", "/dev/zero: is larger than 16 MiB; not a profile"),
    ],
)
def test_what_is_no_profile_is_refused(name: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "f.yaml"
    path.write_text(scenario_yaml(workload__profile=name))
    with pytest.raises(DocumentError) as caught:
        load_scenario(path)
    (fault,) = caught.value.faults
    assert fault.path == "workload.profile"
    assert said in fault.message


def test_costs_that_nobody_gives_are_zero_in_ideal_and_measured_in_tcp() -> None:
    ideal, tcp = (resolve(scenario(cluster__network__model=model)) for model in ("ideal", "tcp"))
    assert (ideal.apply, ideal.message_send, ideal.goodput) == (0, 0, 1.0)
    assert tcp == DEFAULTS[scenario().cluster.network.model]
    assert tcp.apply > 0
    assert 0.9 < goodput(scenario()) < 1
    given = resolve(scenario(cluster__network__model="ideal", workload__costs={"apply": "3 us", "goodput": 0.5}))
    assert (given.apply, given.goodput, given.message_send) == (3_000, 0.5, 0)
