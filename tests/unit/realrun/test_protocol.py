"""Messages between launcher and task."""

import socket

from realrun.protocol import LauncherEnd, TaskEnd


def ends() -> tuple[LauncherEnd, TaskEnd]:
    ours, theirs = socket.socketpair()
    return LauncherEnd(ours), TaskEnd(theirs.detach())


def test_messages_arrive_whole_and_in_order() -> None:
    launcher, task = ends()
    task.send("steps", rows=[[1, 2]] * 5000)
    task.send("finished", steps=3)
    kinds: list[str] = []
    while len(kinds) < 2:
        messages, closed = launcher.receive()
        assert not closed
        kinds += [m["kind"] for m in messages]
    assert kinds == ["steps", "finished"]
    launcher.socket.close()
    task.close()


def test_a_task_whose_launcher_is_gone_gets_no_order() -> None:
    launcher, task = ends()
    launcher.send("go", start_ns=1)
    launcher.socket.close()
    assert task.wait() == {"kind": "go", "start_ns": 1}
    assert task.wait() is None
    task.close()


def test_the_launcher_notices_a_closed_task_and_can_still_send() -> None:
    ours, theirs = socket.socketpair()
    launcher = LauncherEnd(ours)
    theirs.close()
    assert launcher.receive() == ([], True)
    launcher.send("go")
    ours.close()
