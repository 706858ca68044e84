"""The run page's callbacks: what is drawn when the page, its colours or the moment changes."""

from typing import Any

from dash import Input, Output, State, no_update

from dashboard import ids
from dashboard.bars import lanes, span_bars, step_bars
from dashboard.figures.shares import phases_figure, staleness_figure
from dashboard.figures.style import note_figure
from dashboard.figures.timeline import timeline_figure
from dashboard.moments import Moment, moments, nearest, steps_shown
from dashboard.pages.run import phases_of, shown, staleness_of
from dashboard.pages.sentences import moment_sentence
from dashboard.store import RunStore
from simulator.errors import ParamscopeError
from simulator.trace.folder import Run

Drawn = tuple[Any, str]

# value + step, within the slider's range
MOVE = """
function(back, on, value, max) {
    const pressed = dash_clientside.callback_context.triggered_id;
    const next = value + (pressed === "%s" ? -1 : 1);
    return Math.min(Math.max(next, 0), max);
}
"""
COMPARE = """
function(chosen, search) {
    const now = new URLSearchParams(search).get("vs") || null;
    if ((chosen || null) === now) { return dash_clientside.no_update; }
    return chosen ? "?vs=" + encodeURIComponent(chosen) : "";
}
"""


def register(app: Any, store: RunStore) -> None:
    """Add the run page's callbacks to *app*."""

    def draw_timelines(
        scheme: str | None, value: list[int], pair: list[list[str]], drawn: list[dict[str, Any]]
    ) -> tuple[list[Any], list[Any]]:
        if not (scheme and pair and value and drawn):
            return [no_update] * len(drawn), [no_update] * len(drawn)
        made = timelines(store, pair[0], [int(d["which"]) for d in drawn], value[0], scheme)
        return [figure for figure, _ in made], [caption for _, caption in made]

    def draw_shares(scheme: str | None, pair: list[list[str]], drawn: list[dict[str, Any]]) -> list[Any]:
        if not (scheme and pair):
            return [no_update] * len(drawn)
        return share_figures(store, pair[0], [str(d["which"]) for d in drawn], scheme)

    app.callback(
        Output(ids.every(ids.TIMELINE), "figure"),
        Output(ids.every(ids.TIMELINE_CAPTION), "children"),
        Input(ids.SCHEME, "data"),
        Input(ids.every(ids.MOMENT), "value"),
        State(ids.every(ids.PAIR), "data"),
        State(ids.every(ids.TIMELINE), "id"),
    )(draw_timelines)
    app.callback(
        Output(ids.every(ids.SHARES), "figure"),
        Input(ids.SCHEME, "data"),
        Input(ids.every(ids.PAIR), "data"),
        State(ids.every(ids.SHARES), "id"),
    )(draw_shares)
    app.clientside_callback(
        MOVE % ids.MOMENT_BACK,
        Output(ids.part(ids.MOMENT), "value"),
        Input(ids.MOMENT_BACK, "n_clicks"),
        Input(ids.MOMENT_ON, "n_clicks"),
        State(ids.part(ids.MOMENT), "value"),
        State(ids.part(ids.MOMENT), "max"),
        prevent_initial_call=True,
    )
    app.clientside_callback(
        COMPARE,
        Output(ids.LOCATION, "search"),
        Input(ids.RUN_PICKER, "value"),
        State(ids.LOCATION, "search"),
        prevent_initial_call=True,
    )


def timelines(store: RunStore, chosen: list[str], drawn: list[int], at: int, scheme: str) -> list[Drawn]:
    """Return figure and caption of the *drawn* ones of the *chosen* runs, at the *at*-th moment of the first.

    All have the same rows and the same length of time, so that one can compare by eye.
    """
    try:
        runs = [store.run(chosen[i]) for i in drawn]
        count = steps_shown(*runs)
        found = moments(runs[0], count)
        leader = found[min(max(at, 0), len(found) - 1)]
        shown_at = [leader, *(nearest(moments(run, count), leader.first) for run in runs[1:])]
        length = max(moment.length for moment in shown_at)
        return [_timeline(run, moment, length, runs, scheme) for run, moment in zip(runs, shown_at, strict=True)]
    except (ParamscopeError, LookupError, ValueError) as error:
        # The folder has changed since the page was made; LookupError: it has no moments any more.
        text = str(error) if isinstance(error, ParamscopeError) else "The run has changed: load the page again."
        return [(note_figure(text.splitlines()[0], scheme), text)] * len(drawn)


def _timeline(run: Run, moment: Moment, length: int, runs: list[Run], scheme: str) -> Drawn:
    bars = span_bars(run, moment.start, length)
    steps = step_bars(run, moment.start, bars.window)
    figure = timeline_figure(lanes(*runs), bars, steps, length=length, own=lanes(run), scheme=scheme)
    joined = int(bars.joined[bars.joined > 1].sum())
    return figure, moment_sentence(moment, bars.window, length, len(bars), joined)


def share_figures(store: RunStore, chosen: list[str], drawn: list[str], scheme: str) -> list[Any]:
    """Return the *drawn* figures (staleness, phases) of the *chosen* runs."""
    try:
        runs = shown(store, chosen)
    except ParamscopeError as error:
        return [note_figure(str(error).splitlines()[0], scheme)] * len(drawn)
    figures = {
        ids.STALENESS: lambda: staleness_figure(staleness_of(runs), scheme),
        ids.PHASES: lambda: phases_figure(phases_of(runs), scheme),
    }
    return [figures[name]() for name in drawn]
