"""What the page says in words: pure functions from numbers to sentences."""

from dashboard.figures.style import RunStyle, phase_words
from dashboard.figures.timeline import short
from dashboard.frames import COMPUTING, MOVING, WAITING, KeyFigures, Shares, phase_shares, share_of
from dashboard.moments import Moment, Recorded
from simulator.trace.folder import RunInfo
from simulator.trace.schema import Kind, Phase

# Rates that differ by less are shown as equal: one digit after the point would be 0.
SAME = 0.0005
KIND_WORDS = {"simulated": "Simulated", "real": "Measured with TensorFlow"}


def heading(found: KeyFigures) -> str:
    """Return in plain words what the run shows."""
    parts = [f"{KIND_WORDS[found.kind.value]}: the cluster trains {number(found.steps_per_s)} steps/s."]
    shares = phase_shares(found.phases)
    if shares:
        parts.append(
            f"A worker spends {_percent(share_of(shares, COMPUTING))} of its step computing,"
            f" {_percent(share_of(shares, MOVING))} moving variables and gradients,"
            f" {_percent(share_of(shares, WAITING) + shares.get(Phase.APPLY, 0.0))} waiting for messages and the ps."
        )
    if found.staleness_mean is not None:
        parts.append(
            f"A gradient is on average {number(found.staleness_mean)} updates old when it is applied (its staleness)."
        )
    return " ".join(parts)


def comparison(first: KeyFigures, second: KeyFigures, names: tuple[str, str]) -> str:
    """Return how the throughput of two runs differs; of a simulated and a real one, how far the prediction is off."""
    if first.kind is second.kind:
        if abs(second.steps_per_s / first.steps_per_s - 1) < SAME:
            return f"{names[1]} trains as many steps/s as {names[0]}."
        off = _off(second.steps_per_s, first.steps_per_s, "more", "fewer")
        return f"{names[1]} trains {off} steps/s than {names[0]}."
    real, simulated = (first, second) if first.kind is Kind.REAL else (second, first)
    both = f"Predicted {number(simulated.steps_per_s)} steps/s, measured {number(real.steps_per_s)}"
    if abs(simulated.steps_per_s / real.steps_per_s - 1) < SAME:
        return f"{both}: the prediction is right."
    return f"{both}: the prediction is {_off(simulated.steps_per_s, real.steps_per_s, 'too high', 'too low')}."


def _off(value: float, reference: float, more: str, less: str) -> str:
    change = value / reference - 1
    return f"{abs(change):.1%} {more if change >= 0 else less}"


def _percent(share: float) -> str:
    return "less than 1%" if 0 < share < 0.01 else f"{share:.0%}"


def staleness_sentence(runs: list[tuple[RunStyle, Shares]]) -> str:
    """Return what the staleness histogram shows."""
    parts = []
    for style, shares in runs:
        if shares.share:
            top = max(range(len(shares.share)), key=lambda at: shares.share[at])
            parts.append(f"{style.name}: most updates ({shares.share[top]:.0%}) have staleness {shares.label(top)}")
        else:
            parts.append(f"{style.name}: no update was measured")
    return "Histogram of staleness. " + "; ".join(parts) + "."


def phases_sentence(runs: list[tuple[RunStyle, dict[str, float]]]) -> str:
    """Return what the figure of phases shows."""
    parts = []
    for style, shares in runs:
        parts.append(f"{style.name}: " + ", ".join(f"{phase_words(p)} {share:.1%}" for p, share in shares.items()))
    return "Share of a mean step per phase. " + "; ".join(parts) + "."


def moment_sentence(moment: Moment, shown: int, length: int, bars: int, joined: int) -> str:
    """Return what the timeline shows now; *shown* of *length* ns, *joined* spans put together."""
    which = (
        f"step {moment.first}" if moment.first == moment.last else f"steps {moment.first} to {moment.last}"
    ) + f" of {short(moment.worker)}"
    text = f"{which}, {moment.start / 1e9:.3f} s after training began; {bars} bars."
    if joined:
        text += f" {joined} spans too short or too close to tell apart were joined with their neighbours."
    if shown < length:
        text += f" There is more than fits: only the first {shown / 1e6:.3g} ms are drawn."
    return text[0].upper() + text[1:]


def recorded_sentence(name: str, kept: Recorded) -> str:
    """Return which steps a timeline can show."""
    if kept.all:
        return f"{name}: every step was traced; you can look at any of them."
    return (
        f"{name}: {kept.traced} of {kept.steps} steps were traced in detail (tracing slows a step down, so only a"
        " sample is); the slider moves among those."
    )


def incomplete_sentence(info: RunInfo) -> str:
    """Return why a run is incomplete, as far as it knows."""
    return info.failure or "It is still running, or was ended before it could say why."


def number(value: float) -> str:
    """Return *value* with three or four digits, never in powers of ten."""
    for limit, digits in ((0.0005, 0), (0.1, 4), (10, 2), (1000, 1)):
        if abs(value) < limit:
            return f"{value:.{digits}f}"
    return f"{value:,.0f}"


def age(seconds: float) -> str:
    """Return how long ago something was, in its largest whole unit."""
    for limit, unit, name in ((90, 1, "s"), (90 * 60, 60, "min"), (36 * 3600, 3600, "h")):
        if seconds < limit:
            return f"{max(0, int(seconds // unit))} {name} ago"
    days = int(seconds // 86400)
    return f"{days} day{'s' if days != 1 else ''} ago"
