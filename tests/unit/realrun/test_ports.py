"""Leased ports."""

import socket

from realrun.ports import LOOPBACK, PortLease


def test_two_leases_have_no_port_in_common() -> None:
    with PortLease(20) as first, PortLease(20) as second:
        assert len({*first.ports, *second.ports}) == 40


def test_a_leased_port_can_be_listened_on() -> None:
    with PortLease(1) as lease, socket.socket() as server:
        server.bind((LOOPBACK, lease.ports[0]))


def test_a_port_somebody_listens_on_is_not_leased() -> None:
    with PortLease(1) as probe:
        taken = probe.ports[0]
    with socket.socket() as server:
        server.bind((LOOPBACK, taken))
        server.listen()
        for _ in range(20):
            with PortLease(200) as lease:
                assert taken not in lease.ports
