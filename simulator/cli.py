"""The ``paramscope`` command: finds its subcommands by entry point and loads only the one that is called."""

import os
import signal
import sys
from collections.abc import Sequence
from importlib.metadata import EntryPoint, entry_points, version
from typing import Any

import click

from simulator.errors import ExitCode, ParamscopeError

GROUP = "paramscope.commands"
EXTRAS = {"realrun": "realrun", "dashboard": "dashboard"}


class LazyGroup(click.Group):
    """A group whose commands are entry points: ``--help`` imports their thin modules, a call only its own."""

    def _found(self) -> dict[str, EntryPoint]:
        return {e.name: e for e in entry_points(group=GROUP)}

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all registered commands."""
        return sorted(self._found())

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Load one command."""
        entry = self._found().get(cmd_name)
        if entry is None:
            return None
        command: click.Command = entry.load()
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Name the nearest command when there is none of that name."""
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError:
            from simulator.scenario.faults import near

            ctx.fail(f"no command {args[0]!r}" + near(args[0], self.list_commands(ctx)))

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; click itself would end with 1, a failed gate, when the reader of its output has gone."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            raise click.exceptions.Exit(_reader_gone()) from None


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(version("paramscope"), prog_name="paramscope")
def cli() -> None:
    """Predict, run and compare TensorFlow parameter-server training."""


def main(args: Sequence[str] | None = None) -> None:
    """Run the command line and exit with a code of DESIGN section 5; no user's mistake shows a traceback."""
    try:
        code = cli.main(args=args, standalone_mode=False)
        sys.stdout.flush()
    except click.exceptions.Abort:
        _say("interrupted")
        code = ExitCode.INTERRUPTED
    except KeyboardInterrupt:
        _say("interrupted")
        code = ExitCode.INTERRUPTED
    except click.exceptions.Exit as stop:
        code = stop.exit_code
    except click.ClickException as error:
        error.show()
        code = ExitCode.INVALID
    except ParamscopeError as error:
        _say(str(error))
        code = error.exit_code
    except ModuleNotFoundError as error:
        extra = _extra_of(error.name or "")
        if extra is None:
            raise
        _say(f"this command needs the extra [{extra}] ({error.name} is missing): pip install 'paramscope[{extra}]'")
        code = ExitCode.INVALID
    except BrokenPipeError:
        code = _reader_gone()
    sys.exit(code or 0)


def _reader_gone() -> int:
    """Return the code for a reader that went away (``| head``), and keep the interpreter from writing to it again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 128 + signal.SIGPIPE


def _extra_of(module: str) -> str | None:
    top = module.partition(".")[0]
    if top in ("tensorflow", "sklearn"):
        return "realrun"
    if top in ("dash", "dash_mantine_components", "waitress", "flask_compress", "flask"):
        return "dashboard"
    return None


def _say(message: str) -> None:
    click.echo(message, err=True)


if __name__ == "__main__":
    main()
