"""What to do about an error of an agent in a process of its own, as far as its words tell.

Errors of frameworks seldom say that a sandbox is the reason. This is said to the author before a run, never recorded.
"""

from __future__ import annotations

import os
import re
import sys
from typing import Final
from urllib.parse import urlsplit

from proctor.agents.kind import AgentContext, AgentString
from proctor.agents.process.options import read_options
from proctor.spec.system import Network

_MISSING: Final = re.compile(r"No module named '([\w.]+)'")
_NETWORK: Final = re.compile(
    r"connection ?error|connecterror|connection ?refused|econnrefused|network is unreachable|enetunreach|"
    r"name or service not known|name resolution|getaddrinfo|gaierror|eai_again|fetch failed|cannot connect",
    re.IGNORECASE,
)
_KEY: Final = re.compile(r"api[ _-]?key|credentials|[A-Z]+_(API_)?(KEY|TOKEN)\b", re.IGNORECASE)
_UNREACHED: Final = re.compile(r"(\S+): it (cannot be reached|did not answer in time)$")
_ADDRESS: Final = ("_BASE_URL", "_API_BASE", "_ENDPOINT")
"""How variables end that hold the address of a server."""
_SYNTAX: Final = re.compile(r"SyntaxError|unsupported operand type\(s\) for \|")


def advice(agent: AgentString, context: AgentContext, said: str) -> str:
    """One clause on what to try; empty where the words suggest nothing."""
    about = _about(agent, context, said)
    # What is not set explains neither a missing package nor a used-up limit, and an address no missing key.
    unset = _unset(context, addresses=bool(_NETWORK.search(said))) if _NETWORK.search(said) or _KEY.search(said) else ""
    return "; ".join(part for part in (about, unset) if part)


def _about(agent: AgentString, context: AgentContext, said: str) -> str:
    if "from 'proctor'" in said or "No module named 'proctor." in said:
        return "an agent can import only the agent contract from proctor, such as Submission and LimitReached"
    missing = _MISSING.search(said)
    if missing is not None and agent.kind == "python":
        module = missing[1].partition(".")[0]
        return (
            f"'{module}' was looked for in {_python(agent, context)}: install it there, name the interpreter that has "
            "it with ,python=PATH (a virtual environment or uv project), or, where it is a file of yours, show it with "
            ",include=PATH"
        )
    if missing is not None:
        return "name the interpreter that has it in the command, or show a file of yours with ,include=PATH"
    if (unreached := _UNREACHED.search(said)) is not None:
        return _declared(context, unreached[1])
    if _NETWORK.search(said):
        if context.system.network is Network.FULL or "unconfined" in agent.options:
            return f"the server that it asked cannot be reached from here{_addresses(context)}"
        return (
            "its process has no network; declare the model that it asks in `system.models` of proctor.yaml, or write "
            "`network: full` under `system` to open the network"
        )
    if _KEY.search(said):
        return "its process sees only the environment variables that `system.env` in proctor.yaml names"
    if "MiB of memory" in said:
        return "give it more with ,memory=N"
    if "processes and threads" in said:
        return "give it more with ,processes=N"
    if _SYNTAX.search(said) and agent.kind == "python":
        return f"it ran on {_python(agent, context)}"
    return ""


def _python(agent: AgentString, context: AgentContext) -> str:
    interpreter = read_options(agent, context).interpreter
    if interpreter is not None:
        return f"python={interpreter.named} ({interpreter.words})"
    return f"Proctor's own environment (Python {'.'.join(map(str, sys.version_info[:3]))})"


def _declared(context: AgentContext, label: str) -> str:
    """Where a model of the proxy was looked for: variables of the environment do not say it."""
    model = next((model for model in context.system.models if model.label == label), None)
    if model is None:
        return ""
    variable = f"{model.provider.upper()}_BASE_URL"
    ignored = f"; {variable} of this environment is not read" if variable in os.environ else ""
    if model.base_url is not None:
        return f"it was asked at {model.address}, the base_url in its entry under `system.models`{ignored}"
    asked = f"it was asked at {model.address}; to ask another server, write its base_url into the model's entry under"
    return f"{asked} `system.models`{ignored}"


def _addresses(context: AgentContext) -> str:
    """The hosts that declared variables lead to; never more of them, since they may hold a password."""
    known = []
    for name in context.system.env:
        if name.endswith(_ADDRESS) and name in os.environ:
            try:
                parts = urlsplit(os.environ[name])
                host = f"{parts.hostname}:{parts.port}" if parts.port else parts.hostname
            except ValueError:
                host = None
            known.append(f"{name} leads to {host}" if host else f"{name} is no address")
    return f" ({', '.join(known)})" if known else ""


def _unset(context: AgentContext, *, addresses: bool) -> str:
    """Declared variables that are not there; those that hold an address only where asked for."""
    missing = [name for name in context.system.env if name not in os.environ]
    unset = [name for name in missing if addresses or not name.endswith(_ADDRESS)]
    if not unset:
        return ""
    return f"system.env names {', '.join(unset)}, which {'is' if len(unset) == 1 else 'are'} not set here"
