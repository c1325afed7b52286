"""The entry point: commands of the group `proctor.commands`, each loaded only when it is used.

Proctor's own come first, in the groups of the table below, and their help lines are known without importing them.
Errors raised on purpose become one sentence on stderr and the error's exit code; a traceback means a bug in Proctor.
"""

from __future__ import annotations

import os
import re
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from types import ModuleType
from typing import Any, NoReturn

import typer
from typer.core import TyperCommand, TyperGroup

GROUPS: dict[str, dict[str, str]] = {
    "Examine an agent": {
        "init": "Write a proctor.yaml for the project in this folder.",
        "preregister": "Write down what will be examined, and for which claim, before it is.",
        "run": "Examine an agent with a suite and leave evidence.",
        "load": "Put real load on an agent and measure latency and behaviour under it.",
        "play": "Take a task yourself, in the terminal; recorded like any agent.",
        "watch": "Examine an agent whenever something changed, and once a day.",
    },
    "Read the results": {
        "runs": "List the runs in a store.",
        "show": "Show a run, a selection of its episodes, or the trace of one.",
        "score": "Read a run's evidence with the instruments.",
        "compare": "Compare runs: which is better, on what, and by how much.",
        "report": "Write a run's report: one self-contained page, or JSON.",
        "items": "Analyse the tasks themselves, over one or more runs of a suite.",
        "policy": "Say which obligations of a policy follow from a run's capabilities.",
        "predict": "Ask whether a score predicts success on records of a real task.",
        "annotate": "Have people judge outputs without knowing what produced them.",
    },
    "Decide about a release": {
        "gate": "Decide about a finished run: deploy, block or escalate to a human.",
        "baseline": "Accept finished runs as the baseline, show it, or carry it to another clone.",
        "govern": "Keys, proposals, approvals, and the queue of escalations.",
        "incident": "Turn an incident, or a recorded episode, into a candidate scenario.",
    },
    "Hand over and check evidence": {
        "export": "Write a run as one file that another machine can check.",
        "import": "Take a bundle into a store, after verifying it.",
        "verify": "Check every digest of a bundle or of a run in a store.",
        "audit": "Hold a published evaluation against its evidence: Compliant, Contested or Invalid.",
        "challenge": "Challenge a published result, answer a challenge, and decide it.",
    },
    "Write your own": {
        "new": "Write a working starting point: a family, an agent or a suite.",
        "check": "Put a family, agent or suite through its conformance checks.",
        "lint": "Check scenarios against the design principles of the quality instrument.",
        "generate": "Make scenarios from templates: exhaustive, random or adversarial.",
        "lock": "Measure the families of a package and write its probes.lock.",
        "schema": "Print the JSON Schema of a declaration, for editors.",
    },
    "Look things up": {
        "suites": "List suites, or show one.",
        "families": "List families, or show one.",
        "agents": "List agent kinds, or show one.",
        "regimes": "List the standard regimes, or show one with its exact parameters.",
    },
}
"""Proctor's own commands by what they are for, in the order of `--help`, with their help lines."""

HELP = frozenset({"-h", "--help"})

COMMANDS: dict[str, str] = {name: line for group in GROUPS.values() for name, line in group.items()}
"""The same without the groups. Which module a name stands for, the registry says."""


class LazyCommands(TyperGroup):
    """Lists commands without importing them; imports one when it is called."""

    def list_commands(self, ctx: Any) -> list[str]:
        return [*COMMANDS, *_plugins()]

    def get_params(self, ctx: Any) -> list[Any]:
        """Its own options, which act and exit: no environment variable sets them for every command."""
        own: list[Any] = super().get_params(ctx)
        for option in own:
            option.allow_from_autoenv = False
        return own

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name not in self.list_commands(ctx):
            return None
        return TyperCommand(cmd_name, help=COMMANDS.get(cmd_name) or _help_line(cmd_name), rich_markup_mode=None)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        name = args[0] if args else ""
        if name not in COMMANDS and name not in _plugins():
            if name.startswith("-"):
                return super().resolve_command(ctx, args)
            refuse_command(name)
        return name, load_command(name), args[1:]

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """The commands by what they are for; whole help lines, wrapped."""
        groups = [*GROUPS.items()]
        if plugins := _plugins():
            groups.append(("From other packages", {name: _help_line(name) for name in plugins}))
        width = max(len(name) for _, group in groups for name in group)
        for title, group in groups:
            with formatter.section(title):
                formatter.write_dl([(name.ljust(width), line) for name, line in group.items()])


def refuse_command(name: str) -> NoReturn:
    """An unknown command: one sentence, with the command that was probably meant."""
    from difflib import get_close_matches

    from proctor.core.errors import InputError

    close = get_close_matches(name, [*COMMANDS, *_plugins()], n=1)
    hint = f"did you mean `proctor {close[0]}`?" if close else "`proctor --help` lists them"
    message = f"there is no command '{name}'; {hint}"
    raise InputError(message)


def _plugins() -> list[str]:
    """Names of commands that other packages bring."""
    from proctor.plugins import registry

    return [name for name in registry.names("commands") if name not in COMMANDS]


def _help_line(name: str) -> str:
    """The help line of a plug-in's command; a broken one must not break the help of the others."""
    from proctor.core.errors import ProctorError
    from proctor.plugins import registry

    try:
        written = (registry.load("commands", name).__doc__ or "").strip()
    except ProctorError as error:
        return f"Broken: {error}"
    return written.partition("\n")[0]


def load_command(name: str) -> Any:
    """The command of this name, with its options.

    Its module has the help text as docstring and the options as the parameters of its function `command`.
    """
    from proctor.core.errors import PluginError
    from proctor.plugins import registry

    module = registry.load("commands", name)
    if not isinstance(module, ModuleType) or not callable(vars(module).get("command")):
        message = f"{registry.called('commands', name)} has to be a module with a function `command`; fix that package"
        raise PluginError(message)
    single = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
    single.command(name=name, help=module.__doc__)(module.command)
    loaded = typer.main.get_command(single)
    for parameter in loaded.params:
        # Every option can be set by environment (PROCTOR_RUN_SEED=7); naming that at each would drown the help.
        if hasattr(parameter, "show_envvar"):
            parameter.show_envvar = False
    return loaded


app = typer.Typer(
    cls=LazyCommands,
    add_completion=True,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": sorted(HELP), "auto_envvar_prefix": "PROCTOR"},
)


def _print_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version as installed

        typer.echo(f"proctor {installed('proctor')}")
        raise typer.Exit


@app.callback()
def proctor(
    version: bool = typer.Option(
        False, "--version", help="Print the version and exit.", is_eager=True, callback=_print_version
    ),
) -> None:
    """Proctor examines AI agents and writes down what can be proven about them."""


def main() -> None:
    """Run the command line; only here errors become exit codes."""
    from proctor.core.errors import ProctorError

    try:
        with _attended(sys.argv[1:]):
            app(args=with_resume_value(sys.argv[1:]), prog_name="proctor", standalone_mode=True)
    except ProctorError as error:
        _complain(str(error))
        sys.exit(error.exit_code)
    except KeyboardInterrupt:
        _complain(_STOPPED)
        sys.exit(130)
    except SystemExit as ended:
        # The library under the commands turns Ctrl-C into an exit without a word.
        if ended.code == 130 and _by_keyboard(ended):
            _complain(_STOPPED)
        raise
    except BrokenPipeError:
        # Whoever read our output has gone; leave quietly, as other tools do.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        _complain(f"{where}{error.strerror or error}")
        sys.exit(2)


_STOPPED = "stopped by you"


def _by_keyboard(ended: BaseException) -> bool:
    """Whether Ctrl-C is behind it."""
    cause: BaseException | None = ended
    while cause is not None and not isinstance(cause, KeyboardInterrupt):
        cause = cause.__cause__ or cause.__context__
    return cause is not None


LIVE_COMMANDS = frozenset({"run", "load", "watch", "gate", "predict", "audit", "check", "lock", "play"})
"""Those that let agents and worlds act."""
_ATTENDED = "play"
"""A person sits before it, and Ctrl-C is an answer there."""


def _terminate(number: int, _frame: object) -> None:
    from proctor.core.errors import Terminated

    raise Terminated(128 + number)


@contextmanager
def _attended(arguments: list[str]) -> Iterator[None]:
    """While agents act: temporary files in one place, and a guardian that ends the command when it is told to stop."""
    name = arguments[0] if arguments else ""
    # A watch only starts looks, each a command of its own (`--once`).
    if name not in LIVE_COMMANDS or HELP & set(arguments) or (name == "watch" and "--once" not in arguments):
        yield
        return
    from proctor.cli.scratch import scratch
    from proctor.core.guardian import guarded

    # Told to stop, it unwinds like after any error: workers end, the store is closed, a run can be continued.
    signal.signal(signal.SIGTERM, _terminate)
    with guarded() if name != _ATTENDED else nullcontext(), scratch():
        yield


def with_resume_value(arguments: list[str]) -> list[str]:
    """`--resume NAME` written as `--resume-run NAME`: the name is optional, which options cannot express."""
    if "--resume" not in arguments:
        return arguments
    at = arguments.index("--resume")
    following = arguments[at + 1] if at + 1 < len(arguments) else "-"
    suite_given_before = any(not word.startswith("-") for word in arguments[1:at])
    names_a_run = re.fullmatch(r"latest|.+-[0-9a-f]{6}", following) is not None
    if following.startswith("-") or not (suite_given_before or names_a_run):
        return arguments
    return [*arguments[:at], "--resume-run", *arguments[at + 1 :]]


def main_as_module() -> None:
    """The same, started with `python -m`: that puts the folder it is started in first, and nobody's files belong there.

    What Python imports before this runs is looked for there even so; `python -P -m` or the script `proctor` is safe.
    """
    if not sys.flags.safe_path and sys.path and sys.path[0] in ("", os.getcwd()):
        del sys.path[0]
    main()


def _complain(message: str) -> None:
    """One line, whatever a name or a stranger's file brought into it."""
    from proctor.cli.output import clean
    from proctor.core.texts import shortened

    words = " ".join(message.split())
    print(f"proctor: {clean(_ENDLESS.sub(lambda word: shortened(word[0]), words))}", file=sys.stderr)


_ENDLESS = re.compile(r"[^\s/]{256,}")
"""A word that is longer than the name of any file: somebody else's, and of no use to a reader."""


if __name__ == "__main__":
    main_as_module()
