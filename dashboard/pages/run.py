"""The page of one run, or of two side by side."""

from dataclasses import dataclass
from typing import Any

import dash_mantine_components as dmc
from dash import dcc

from dashboard import ids
from dashboard.figures.style import RunStyle, phase_words, run_styles
from dashboard.frames import (
    KeyFigures,
    Shares,
    bar_width,
    maybe_figures,
    phase_shares,
    staleness_shares,
)
from dashboard.moments import first_measured, moments, recorded, steps_shown
from dashboard.pages import sentences
from dashboard.pages.cards import cards
from dashboard.pages.parts import data_table, glossary, graph, kind_badge, legend, notice, problem, section
from dashboard.store import Entry, RunStore
from simulator.analysis.window import words
from simulator.errors import ParamscopeError
from simulator.trace.folder import Run


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A run on the page."""

    id: str
    run: Run
    found: KeyFigures | None
    style: RunStyle


def layout(store: RunStore, id_: str, versus: str | None) -> Any:
    """Return the page of run *id_*, next to *versus* when given; a notice when it cannot be shown."""
    try:
        runs = shown(store, [id_])
    except ParamscopeError as error:
        return problem("This run cannot be shown", str(error))
    remarks = []
    if versus and versus != id_:
        try:
            runs = shown(store, [id_, versus])
        except ParamscopeError as error:
            remarks.append(notice(str(error), title="The second run cannot be shown", color="red"))
    if len(runs) == 2 and runs[0].run.info.scenario != runs[1].run.info.scenario:
        remarks.append(notice("The two runs are of different scenarios; mind that when you compare them."))
    return dmc.Stack(
        [
            dcc.Store(id=ids.part(ids.PAIR), data=[s.id for s in runs]),
            *_comparison(runs),
            dmc.SimpleGrid([_heading(s) for s in runs], cols={"base": 1, "md": len(runs)}),
            _picker(store, runs),
            *remarks,
            glossary(),
            *([cards([s.style.name for s in runs], [s.found for s in runs])] if any(s.found for s in runs) else []),
            _timeline(runs),
            _staleness(runs),
            _phases(runs),
        ]
    )


def shown(store: RunStore, chosen: list[str]) -> list[Shown]:
    """Return the *chosen* runs with their key figures and looks; raise ParamscopeError when one is unreadable."""
    read = [store.run(id_) for id_ in chosen]
    for run in read:
        for table in ("steps", "spans"):  # read now, so that a broken one is noticed before anything is laid out
            run.table(table)
    found = [maybe_figures(run) for run in read]
    kinds = [run.info.kind for run in read]
    names = [kind.value for kind in kinds]
    if len(set(names)) < len(names):
        names = [f"{kind}: {id_}" for kind, id_ in zip(names, chosen, strict=True)]
    styles = run_styles(names, kinds)
    return [
        Shown(id=id_, run=run, found=f, style=s) for id_, run, f, s in zip(chosen, read, found, styles, strict=True)
    ]


def staleness_of(runs: list[Shown]) -> list[tuple[RunStyle, Shares]]:
    """Return the staleness histograms of *runs* that have one, with bars of one width."""
    have = [(s.style, s.found.histogram) for s in runs if s.found and s.found.histogram]
    width = bar_width(*(histogram for _, histogram in have))
    return [(style, staleness_shares(histogram, width)) for style, histogram in have]


def phases_of(runs: list[Shown]) -> list[tuple[RunStyle, dict[str, float]]]:
    """Return the shares per phase of *runs* that have them."""
    return [(s.style, phase_shares(s.found.phases)) for s in runs if s.found and phase_shares(s.found.phases)]


def _comparison(runs: list[Shown]) -> list[Any]:
    """Return the sentence on how two runs differ; none for one run, or when one measured nothing."""
    found = [s.found for s in runs if s.found]
    if len(found) < 2:
        return []
    text = sentences.comparison(found[0], found[1], (runs[0].id, runs[1].id))
    return [dmc.Text(text, fz=22, fw=700, lh=1.3)]


def _heading(s: Shown) -> Any:
    scenario = s.run.scenario
    jobs = f"{scenario.cluster.ps.tasks} ps, {_workers(scenario.cluster.worker.tasks)}, {scenario.training.mode.value}"
    lines: list[Any] = [
        dmc.Group([kind_badge(s.run.info.kind), dmc.Title(s.id, order=1, size="h3")], gap="xs"),
        dmc.Text(f"Scenario {scenario.name}: {jobs}. {scenario.description}", size="sm", lineClamp=3),
    ]
    if s.found is None:
        lines.append(dmc.Text("No step was measured, so there are no numbers to show."))
    else:
        lines.append(dmc.Text(sentences.heading(s.found), size="lg"))
    if not s.run.info.complete:
        lines.append(notice(sentences.incomplete_sentence(s.run.info), title="This run is incomplete", color="red"))
    if s.run.info.notes:
        lines.append(dmc.Text(" ".join(s.run.info.notes), size="sm"))
    return dmc.Stack(lines, gap=6)


def _workers(count: int) -> str:
    return f"{count} worker{'s' if count != 1 else ''}"


def _picker(store: RunStore, runs: list[Shown]) -> Any:
    first = runs[0]
    others = [e for e in store.entries() if e.run is not None and e.id != first.id]
    best = suggestion(first, others)
    options = [{"value": e.id, "label": _option(e, e.id == best)} for e in others]
    options.sort(key=lambda option: option["value"] != best)
    parts = [
        dmc.Select(
            id=ids.RUN_PICKER,
            label="Compare with",
            placeholder="another run",
            data=options,
            value=runs[1].id if len(runs) == 2 else None,
            clearable=True,
            searchable=True,
            nothingFoundMessage="no such run",
            w=340,
            maw="100%",
            clearButtonProps={"aria-label": "show one run only"},
        )
    ]
    if len(runs) == 1 and best is not None:
        other = next(e for e in others if e.id == best)
        assert other.run is not None
        text = f"Compare with the {other.run.info.kind.value} run {best} of the same scenario"
        parts.append(dmc.Anchor(text, href=ids.run_path(first.id, best), className="action"))
    return dmc.Group(parts, align="end")


def suggestion(first: Shown, others: list[Entry]) -> str | None:
    """Return the newest complete run of the same scenario and the other kind."""
    for entry in others:
        info = entry.run.info if entry.run else None
        if info and info.complete and info.scenario == first.run.info.scenario and info.kind is not first.run.info.kind:
            return entry.id
    return None


def _option(entry: Entry, suggested: bool) -> str:
    assert entry.run is not None
    text = f"{entry.id} ({entry.run.info.kind.value}, {entry.run.info.scenario})"
    return f"{text} - suggested" if suggested else text


TIMELINE_HELP = (
    "Each row is a part of one process; colours say what it is busy with. Full bars are work, thin grey ones waiting in"
    " line; where all rows of a worker are empty, it waits for a message under way. Read a step from left to right:"
    " variables are pulled, the worker computes forward and backward, gradients are pushed and applied by the ps."
)


def _timeline(runs: list[Shown]) -> Any:
    remarks = []
    for s in runs:
        if not moments(s.run):
            text = f"{s.style.name}: no timeline was kept (--trace {s.run.info.trace.value})"
            if s.run.info.trace.value == "full":
                text = f"{s.style.name}: no step has been traced"
            remarks.append(notice(f"{text}. Run the scenario again with --trace full to see one.", color="blue"))
        else:
            remarks.append(dmc.Text(sentences.recorded_sentence(s.style.name, recorded(s.run)), size="sm"))
    if len(runs) == 2:
        remarks.append(dmc.Text("Rows marked n/a are parts that only the other run has or records.", size="sm"))
    drawn = [(at, s) for at, s in enumerate(runs) if moments(s.run)]
    if not drawn:
        return section("Timeline", TIMELINE_HELP, *remarks)
    leader = drawn[0][1].run
    found = moments(leader, steps_shown(*(s.run for _, s in drawn)))
    graphs = [
        dmc.Stack(
            [
                dmc.Group([kind_badge(s.run.info.kind), dmc.Text(s.id, fw=600, size="sm")], gap="xs"),
                graph(ids.part(ids.TIMELINE, at), f"Timeline of all tasks of run {s.id}, {s.style.name}."),
                dmc.Text("", id=ids.part(ids.TIMELINE_CAPTION, at), size="sm", **{"aria-live": "polite"}),
            ],
            gap=4,
            miw=0,
        )
        for at, s in drawn
    ]
    return section(
        "Timeline",
        TIMELINE_HELP,
        *remarks,
        _slider(len(found), first_measured(leader, found)),
        legend([phase for _, s in drawn for phase in words(s.run, "spans", "phase")[1]]),
        dmc.SimpleGrid(graphs, cols={"base": 1, "lg": len(graphs)}, spacing="md"),
    )


def _slider(count: int, at: int) -> Any:
    return dmc.Group(
        [
            dmc.Button("◀ earlier", id=ids.MOMENT_BACK, size="xs", variant="default"),
            dmc.Slider(
                id=ids.part(ids.MOMENT),
                min=0,
                max=max(count - 1, 1),
                value=at,
                step=1,
                disabled=count < 2,
                label=None,
                thumbLabel="moment of the run",
                flex=1,
                miw=120,
            ),
            dmc.Button("later ▶", id=ids.MOMENT_ON, size="xs", variant="default"),
        ],
        my="sm",
        wrap="nowrap",
    )


STALENESS_HELP = (
    "Staleness counts the updates that others made to a variable between a worker's read of it and that worker's own"
    " update. All of them 0: as if one worker trained alone. The further to the right, the older the gradients."
)


def _staleness(runs: list[Shown]) -> Any:
    have = staleness_of(runs)
    if not have:
        return section("Staleness", STALENESS_HELP, notice("No update of a variable was measured.", color="blue"))
    longest = max(len(shares.first) for _, shares in have)
    rows = []
    for at in range(longest):
        label = next(shares.label(at) for _, shares in have if at < len(shares.first))
        rows.append([label, *(f"{s.share[at]:.2%}" if at < len(s.share) else "0.00%" for _, s in have)])
    return section(
        "Staleness",
        STALENESS_HELP,
        graph(ids.part(ids.SHARES, ids.STALENESS), sentences.staleness_sentence(have)),
        data_table(["staleness", *(style.name for style, _ in have)], rows),
    )


PHASES_HELP = (
    "Where the time of a mean step goes. Each moment counts once: a pull that runs beside computing is hidden by it"
    " and does not count. Waiting is whatever is left."
)


def _phases(runs: list[Shown]) -> Any:
    have = phases_of(runs)
    if not have:
        return section("Where a step's time goes", PHASES_HELP, notice("No step was traced.", color="blue"))
    names = list(dict.fromkeys(phase for _, shares in have for phase in shares))
    rows = [[phase_words(name), *(f"{shares.get(name, 0.0):.2%}" for _, shares in have)] for name in names]
    return section(
        "Where a step's time goes",
        PHASES_HELP,
        legend(names),
        graph(ids.part(ids.SHARES, ids.PHASES), sentences.phases_sentence(have)),
        data_table(["phase", *(style.name for style, _ in have)], rows),
    )
