"""From a program and an agent string to a living agent; shared by the kinds of this package."""

from __future__ import annotations

from msgspec.structs import replace

from proctor.agents.kind import AgentContext, AgentString
from proctor.agents.model_proxy.opening import model_keys, open_proxy
from proctor.agents.process.agent import ProcessAgent
from proctor.agents.process.availability import availability
from proctor.agents.process.exposure import ExposedPath, expose
from proctor.agents.process.options import Options, require_sandbox
from proctor.agents.process.pool.pool import pool
from proctor.agents.process.ports.service import PortService
from proctor.agents.process.process_host import ProcessHost, Program
from proctor.agents.process.scrub import Scrub
from proctor.agents.process.unsandboxed_host import UnsandboxedHost


def open_agent(agent: AgentString, context: AgentContext, program: Program, options: Options) -> ProcessAgent:
    """The agent for one lifetime; its process starts with its first episode."""
    services = port_services(context, options)
    host = make_host(agent, with_ports(program, services), options)
    scrub = Scrub({**options.env, **model_keys(context.system)}, context.folder)
    available = availability(agent.text)
    return ProcessAgent(
        host,
        options,
        available,
        scrub,
        says_ready=program.says_ready,
        services=services,
        baseline=context.baseline,
    )


def port_services(context: AgentContext, options: Options) -> tuple[PortService, ...]:
    """What the bench serves the agent at ports of its own: the models that its system declares."""
    proxy = open_proxy(context.system, confined=not options.unconfined)
    return () if proxy is None else (proxy,)


def with_ports(program: Program, services: tuple[PortService, ...]) -> Program:
    """The same program with the ports that these services serve."""
    return replace(program, ports=(*program.ports, *(service.port for service in services)))


def named_files(options: Options) -> tuple[ExposedPath, ...]:
    """What the options say the agent may see: a whole folder, further files."""
    whole = (expose(options.root, options.root, options.project),) if options.whole else ()
    return (*whole, *(expose(path, options.root, options.project) for path in options.include))


def make_host(agent: AgentString, program: Program, options: Options) -> ProcessHost:
    """The place where a program lives for one lifetime: a sandbox, or none where that was chosen."""
    if options.unconfined:
        return UnsandboxedHost(program, options)
    require_sandbox(agent, options)
    return pool.host(agent, program, options)
