"""One colour for each phase and kind of run, wherever a trace is drawn: in reports and on the dashboard.

Phases have one palette (M. Okabe, K. Ito, "Color Universal Design", 2008: https://jfly.uni-koeln.de/color/),
kinds of run another, so that no colour means two things.
"""

from simulator.trace.schema import Kind, Phase

PHASE_COLOURS: dict[Phase, str] = {
    Phase.PULL: "#009E73",
    Phase.FORWARD: "#56B4E9",
    Phase.BACKWARD: "#0072B2",
    Phase.PUSH: "#E69F00",
    Phase.APPLY: "#CC79A7",
    Phase.WAIT: "#ADB5BD",
    Phase.WAIT_TOKEN: "#868E96",
    Phase.INIT: "#F0E442",
    Phase.CHECKPOINT: "#D55E00",
    Phase.RESTORE: "#A0522D",
    Phase.DOWN: "#495057",
}
KIND_COLOURS: dict[Kind, str] = {Kind.SIMULATED: "#7950F2", Kind.REAL: "#4C7A0B"}
