"""From a program and an agent string to a living agent; shared by the kinds of this package."""

from __future__ import annotations

import time

from proctor.agents.contract import AgentFailure
from proctor.agents.kind import AgentContext, AgentString
from proctor.agents.process.agent import ProcessAgent
from proctor.agents.process.availability import availability
from proctor.agents.process.exposure import ExposedPath, expose
from proctor.agents.process.memory import NOTHING
from proctor.agents.process.options import Options, require_sandbox
from proctor.agents.process.pool.pool import pool
from proctor.agents.process.process_host import ProcessHost, Program, SandboxedHost
from proctor.agents.process.scrub import Scrub
from proctor.agents.process.unsandboxed_host import UnsandboxedHost
from proctor.agents.process.wire import READY_SECONDS, Fail, decode
from proctor.core.errors import InputError


def open_agent(agent: AgentString, context: AgentContext, program: Program, options: Options) -> ProcessAgent:
    """The agent for one lifetime; its process starts with its first episode."""
    if options.unconfined:
        host: ProcessHost = UnsandboxedHost(program, options)
    else:
        require_sandbox(agent, options)
        host = pool.host(agent, program, options)
    return ProcessAgent(host, options, availability(agent.text), Scrub(options.env, context.folder))


def named_files(options: Options) -> tuple[ExposedPath, ...]:
    """What the options say the agent may see: a whole folder, further files."""
    whole = (expose(options.root, options.root, options.project),) if options.whole else ()
    return (*whole, *(expose(path, options.root, options.project) for path in options.include))


def try_start(agent: AgentString, context: AgentContext, program: Program, options: Options) -> None:
    """Start the program once and hear its first message; one that says it cannot start is an `InputError`.

    Being slow is no reason to refuse: what becomes of agents that are not ready in time is laid down.
    """
    availability(agent.text, anew=True)
    scrub = Scrub(options.env, context.folder)
    if options.unconfined:
        host: ProcessHost = UnsandboxedHost(program, options)
    else:
        # For one process a sandbox is quicker than a pool, and nothing has to be released.
        require_sandbox(agent, options)
        host = SandboxedHost(program, options)
    try:
        child = host.start(NOTHING)
        try:
            deadline = child.started + READY_SECONDS
            while (line := child.lines.take()) is None:
                # Its output closes a moment before its end is seen, and only the end brings the exit status.
                over = child.output_closed and child.ended
                if over or child.lines.problem or (left := deadline - time.monotonic()) <= 0:
                    break
                child.wait_now(left)
            if line is None and child.output_closed:
                silent = child.lines.problem or "it closed its output before its first message"
                reason = scrub.last_line(child.stderr) or (child.status if child.ended else silent)
                message = f"agent '{agent.text}' cannot be started: {reason}"
                raise InputError(message)
            _refuse_failure(agent, line, scrub)
        finally:
            child.release_now()
            host.leave()
    finally:
        host.close()


def _refuse_failure(agent: AgentString, line: bytes | None, scrub: Scrub) -> None:
    if line is None:
        return
    try:
        first = decode(line)
    except AgentFailure as failure:
        message = f"agent '{agent.text}': {scrub(str(failure))}"
        raise InputError(message) from None
    if isinstance(first, Fail):
        said = scrub(f"{first.error} {first.place}".rstrip())
        message = f"agent '{agent.text}' cannot be made in its own process: {said}{_advice(first.error)}"
        raise InputError(message)


def _advice(error: str) -> str:
    if "from 'proctor'" in error or "No module named 'proctor." in error:
        return "; an agent can import only the agent contract from proctor, such as Submission and LimitReached"
    if error.startswith("ModuleNotFoundError"):
        return "; show it further files of yours with ,include=PATH|PATH"
    return ""
