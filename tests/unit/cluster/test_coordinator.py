"""When workers stop."""

from simulator.cluster.coordinator import Coordinator


def test_a_worker_stops_when_its_own_read_and_the_present_step_have_reached_the_last() -> None:
    coordinator = Coordinator(last_step=2)
    assert not coordinator.should_stop(read=-1)
    coordinator.increment()
    assert not coordinator.should_stop(read=1)  # the present step has not
    coordinator.increment()
    assert not coordinator.should_stop(read=0)  # it cannot know yet: it does one more step
    assert coordinator.should_stop(read=1)
