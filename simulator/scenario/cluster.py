"""The cluster of a scenario: jobs, tasks, hosts and the network between them."""

from enum import StrEnum
from typing import Annotated

from pydantic import Field

from simulator.scenario.base import ADDRESS_PATTERN, Count, Factor, HostName, Part, TaskName
from simulator.units import NS_PER_S, BitsPerSecond, Nanoseconds

DEFAULT_HOST = "default"
DEFAULT_QUEUE = NS_PER_S // 50  # 20 ms


class NetworkModel(StrEnum):
    """How links behave (docs/models/network.md)."""

    TCP = "tcp"
    IDEAL = "ideal"


class Job(Part):
    """The tasks of one job, all on hosts of one type."""

    tasks: Count = Field(description="Number of tasks of this job")
    host: HostName = Field(default=DEFAULT_HOST, description="Host type, a key of cluster.hosts")


class Host(Part):
    """A host type.  Each task has a host of its own unless ``colocate`` says otherwise."""

    nic: BitsPerSecond = Field(default=10 * 10**9, description="Rate of the NIC, each way (full duplex)")
    queue: Nanoseconds = Field(default=DEFAULT_QUEUE, description="Depth of the NIC's buffer")
    threads: Count = Field(default=8, description="Threads of the host that run ops, applies and RPC handlers")
    speed: Factor = Field(default=1.0, description="Compute speed relative to workload.compute")


class TaskOverride(Part):
    """What differs for one task from its host type."""

    nic: BitsPerSecond | None = None
    threads: Count | None = None
    speed: Factor | None = None


class Rack(Part):
    """Tasks behind one uplink."""

    tasks: tuple[TaskName, ...]
    uplink: BitsPerSecond


class Network(Part):
    """What lies between the hosts."""

    model: NetworkModel = NetworkModel.TCP
    latency: Nanoseconds = Field(default=100_000, description="One way, any host to any host")
    racks: dict[str, Rack] | None = Field(default=None, description="Racks with uplink capacity")


Address = Annotated[str, Field(pattern=ADDRESS_PATTERN, examples=["ps0:2222"])]


class Addresses(Part):
    """The real host:port lists, as in ``tf.train.ClusterSpec``."""

    ps: tuple[Address, ...]
    worker: tuple[Address, ...]


class Cluster(Part):
    """Jobs, hosts and network."""

    ps: Job
    worker: Job
    addresses: Addresses | None = None
    hosts: dict[HostName, Host] = Field(default_factory=dict)
    per_task: dict[TaskName, TaskOverride] = Field(default_factory=dict)
    colocate: tuple[tuple[TaskName, ...], ...] = ()
    network: Network = Network()
