"""Every contract that a plug-in is written against, on one page.

Write the one you need, register it by an entry point or name it by its path, and put it through `proctor check`. Names
are loaded on first use, so that importing this page costs nothing.

Abilities are what a class may offer beyond its contract. They are methods or properties of the class: the bench looks
them up once per class, never on the object.

An agent: what is examined

- `Agent`: lives one episode in `run(task, session)`
- `Session`: what it holds meanwhile: observations, tools, budget, state
- `State`: its named state, read through the condition in force
- `ScaffoldSession`: what a scaffold over a chat model holds besides
- `SetAside`: what one call of a model may use, before it is made
- `TaskView`: what it is asked
- `Observation`: what it is shown
- `Budget`: what it may use
- `ToolResult`: what a call gives back
- `Submission`: what it hands in
- `Claim`: what it says it has done
- `AgentKind`: what an entry point of `proctor.agents` gives: label, trust, factory
- `AgentString`: the parsed agent string a factory is given
- `AgentContext`: what else a factory may know
- `AgentFailure`: raised by a transport when the agent on the other side fails
- `ServiceFailure`: raised by a transport when what the agent needs did not answer: nothing was measured

What an agent may offer besides

- `Closes`: lets go of a process or connection when its lifetime is over
- `Releases`: is told when a worker has no more lifetimes for it
- `Remembers`: has a memory that the bench can save, put back and wipe
- `Memory`: what of it is moved; all that a step-wise agent needs
- `GivenAnswers`: is shown the solver: oracles and planted agents, labelled as such
- `ToldPlace`: is told what is being asked: planted agents, labelled as such
- `Placement`: what such an agent is told

A world: the environment of one episode

- `World`: state, tools and a verifier that looks at the real state
- `BaseWorld`: most of a world; its tools are its decorated methods
- `Place`: a private folder and the logical clock
- `tool`: marks a method as a tool
- `Tool`: a tool as the bench calls it
- `ToolError`: raised to refuse a call
- `Verification`: what the verifier found
- `TakesIntervention`: ability: is told under which intervention its episode is lived
- `EpisodeContext`: what it is then told
- `HandsOver`: ability: lets another agent go on where the first one stopped
- `NextShift`: what that agent is asked
- `CarriesOver`: ability: leaves something to the next episode of the same lifetime
- `MarksState`: ability: tells cheaply whether its state is still the same

A family: a generator of tasks of one kind

- `Family`: instances, a world and an oracle for each
- `FamilySpec`: its declaration
- `Knob`: a declared difficulty
- `Draw`: what an instance is made from
- `Stream`: where its draws come from
- `Instance`: one task, with its hidden part
- `Deliveries`: what a regime does to an episode, for the attainable ceiling
- `SolvedBy`: an oracle made from a coroutine function
- `Learns`: ability of a solver: knows what training taught in this lifetime
- `HasEvents`: ability: its instances are rows of events, which are scrambled with rows of other events
- `HasScenarios`: ability: its instances are decision scenarios with coordinates
- `Finite`: ability: has so many instances and no more
- `OpensData`: registered in place of a family: makes one from a user's file

A suite: what is run

- `Suite`: families under regimes and conditions, with rules
- `Entry`: one family in it
- `Regime`: the declared scarcity
- `Condition`: the declared intervention
- `Rules`: every statistical and threshold choice
- `SuiteOnData`: registered in place of a suite: makes one on a user's records

An instrument: a pure function from evidence to a reading

- `Instrument`: reads evidence under rules
- `Evidence`: what a run left, as instruments see it
- `Reading`: what it found
- `Value`: one measured quantity
- `Estimate`: estimate, interval, n, what is missing, method
- `Flag`: what a reader must know before using a value
- `SumsUp`: ability: says which runs it sums up at their end
- `ReadsTogether`: ability: reads several runs as one
- `ReadsBeside`: ability: puts the other boundary's run beside a reading
- `ForProject`: ability: reads by rules or records of the project
- `Surroundings`: what it is then given
- `conditions_of`: the conditions every reading states

A metric: a further quality score

- `Metric`: one quality score: name, target, floor, how it is counted
- `Ratio`: counts part and whole of each episode
- `Beside`: a share that has to be read with it
- `Case`: one scored episode, with its measures
- `DecisionMeasures`: what the verifier of a scenario recorded

A section: what a report shows of a reading

- `SectionKind`: title, data, examples and page of an instrument's reading
- `Concludes`: ability: says its result in words
- `Conclusion`: what it then gives: a verdict, and notices
- `Notice`: something to be known before the result is read
- `GenericSection`: most of a section; override what you show differently
- `Section`: one section as data
- `Report`: the report it stands in
- `FlagShown`: a flag and what it is about
- `Example`: an episode worth looking at
- `Markup`: HTML that is safe to put in

An executor: where lifetimes are lived

- `Executor`: does the work of a stage
- `Work`: what there is to do, and whom to tell
- `Todo`: the lifetimes still to be lived
- `EpisodeRecord`: what it delivers for each episode
- `ExecutorFactory`: what an entry point of `proctor.executors` gives

A store: where evidence is kept

- `EvidenceStore`: what engine, bundles and reports ask of a store
- `EpisodeWriter`: takes finished episodes
- `StoreFactory`: what an entry point of `proctor.stores` gives

An importer: what reads evidence from a file

- `Importer`: takes a recorded file into a store; chosen by what the file is

A model: what chat agents ask

- `ChatModel`: a request goes in, a reply or a named error comes out
- `ModelKind`: what an entry point of `proctor.models` gives
- `ModelString`: the parsed model string
- `Message`: one turn
- `Request`: all that a model sees
- `Reply`: what came back
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from proctor.agents.contract import (
        Agent,
        AgentFailure,
        Closes,
        GivenAnswers,
        Learns,
        Memory,
        Placement,
        Releases,
        Remembers,
        ScaffoldSession,
        ServiceFailure,
        Session,
        SetAside,
        State,
        ToldPlace,
    )
    from proctor.agents.kind import AgentContext, AgentKind, AgentString
    from proctor.core.errors import ToolError
    from proctor.core.seeds import Stream
    from proctor.engine.executors.contract import Executor, ExecutorFactory, Todo, Work
    from proctor.engine.family import (
        Deliveries,
        Draw,
        Family,
        Finite,
        HasEvents,
        HasScenarios,
        OpensData,
        SolvedBy,
        SuiteOnData,
    )
    from proctor.engine.importing import Importer
    from proctor.evidence.evidence import Evidence
    from proctor.evidence.measures import DecisionMeasures
    from proctor.evidence.row import EpisodeRecord
    from proctor.evidence.store.contract import EpisodeWriter, EvidenceStore, StoreFactory
    from proctor.instruments.abilities import ForProject, ReadsBeside, ReadsTogether, SumsUp, Surroundings
    from proctor.instruments.base import Flag, Instrument, Reading, Value, conditions_of
    from proctor.instruments.quality.measures import Case
    from proctor.instruments.quality.metric import Beside, Metric, Ratio
    from proctor.models.contract import ChatModel, Message, ModelKind, ModelString, Reply, Request
    from proctor.reports.data import Conclusion, FlagShown, Notice, Report, Section
    from proctor.reports.html.markup import Markup
    from proctor.reports.section import Concludes, Example, SectionKind
    from proctor.reports.sections.generic import GenericSection
    from proctor.spec.condition import Condition
    from proctor.spec.family import FamilySpec, Knob
    from proctor.spec.regime import Regime
    from proctor.spec.rules import Rules
    from proctor.spec.suite import Entry, Suite
    from proctor.spec.task import Budget, Claim, Instance, Observation, Submission, TaskView, ToolResult, Verification
    from proctor.stats.estimate import Estimate
    from proctor.worlds.tool import Tool, tool
    from proctor.worlds.world import (
        BaseWorld,
        CarriesOver,
        EpisodeContext,
        HandsOver,
        MarksState,
        NextShift,
        Place,
        TakesIntervention,
        World,
    )

_HOMES = {
    "Agent": "proctor.agents.contract",
    "AgentContext": "proctor.agents.kind",
    "AgentFailure": "proctor.agents.contract",
    "AgentKind": "proctor.agents.kind",
    "AgentString": "proctor.agents.kind",
    "BaseWorld": "proctor.worlds.world",
    "Beside": "proctor.instruments.quality.metric",
    "Budget": "proctor.spec.task",
    "CarriesOver": "proctor.worlds.world",
    "Case": "proctor.instruments.quality.measures",
    "ChatModel": "proctor.models.contract",
    "Claim": "proctor.spec.task",
    "Closes": "proctor.agents.contract",
    "Concludes": "proctor.reports.section",
    "Conclusion": "proctor.reports.data",
    "Condition": "proctor.spec.condition",
    "DecisionMeasures": "proctor.evidence.measures",
    "Deliveries": "proctor.engine.family",
    "Draw": "proctor.engine.family",
    "Entry": "proctor.spec.suite",
    "EpisodeContext": "proctor.worlds.world",
    "EpisodeRecord": "proctor.evidence.row",
    "EpisodeWriter": "proctor.evidence.store.contract",
    "Estimate": "proctor.stats.estimate",
    "Evidence": "proctor.evidence.evidence",
    "EvidenceStore": "proctor.evidence.store.contract",
    "Example": "proctor.reports.section",
    "Executor": "proctor.engine.executors.contract",
    "ExecutorFactory": "proctor.engine.executors.contract",
    "Family": "proctor.engine.family",
    "FamilySpec": "proctor.spec.family",
    "Finite": "proctor.engine.family",
    "Flag": "proctor.instruments.base",
    "FlagShown": "proctor.reports.data",
    "ForProject": "proctor.instruments.abilities",
    "GenericSection": "proctor.reports.sections.generic",
    "GivenAnswers": "proctor.agents.contract",
    "HandsOver": "proctor.worlds.world",
    "HasEvents": "proctor.engine.family",
    "HasScenarios": "proctor.engine.family",
    "Importer": "proctor.engine.importing",
    "Instance": "proctor.spec.task",
    "Instrument": "proctor.instruments.base",
    "Knob": "proctor.spec.family",
    "Learns": "proctor.agents.contract",
    "MarksState": "proctor.worlds.world",
    "Markup": "proctor.reports.html.markup",
    "Memory": "proctor.agents.contract",
    "Message": "proctor.models.contract",
    "Metric": "proctor.instruments.quality.metric",
    "ModelKind": "proctor.models.contract",
    "ModelString": "proctor.models.contract",
    "NextShift": "proctor.worlds.world",
    "Notice": "proctor.reports.data",
    "Observation": "proctor.spec.task",
    "OpensData": "proctor.engine.family",
    "Place": "proctor.worlds.world",
    "Placement": "proctor.agents.contract",
    "Ratio": "proctor.instruments.quality.metric",
    "Reading": "proctor.instruments.base",
    "ReadsBeside": "proctor.instruments.abilities",
    "ReadsTogether": "proctor.instruments.abilities",
    "Regime": "proctor.spec.regime",
    "Releases": "proctor.agents.contract",
    "Remembers": "proctor.agents.contract",
    "Reply": "proctor.models.contract",
    "Report": "proctor.reports.data",
    "Request": "proctor.models.contract",
    "Rules": "proctor.spec.rules",
    "ScaffoldSession": "proctor.agents.contract",
    "Section": "proctor.reports.data",
    "SectionKind": "proctor.reports.section",
    "ServiceFailure": "proctor.agents.contract",
    "Session": "proctor.agents.contract",
    "SetAside": "proctor.agents.contract",
    "SolvedBy": "proctor.engine.family",
    "State": "proctor.agents.contract",
    "StoreFactory": "proctor.evidence.store.contract",
    "Stream": "proctor.core.seeds",
    "Submission": "proctor.spec.task",
    "Suite": "proctor.spec.suite",
    "SuiteOnData": "proctor.engine.family",
    "SumsUp": "proctor.instruments.abilities",
    "Surroundings": "proctor.instruments.abilities",
    "TakesIntervention": "proctor.worlds.world",
    "TaskView": "proctor.spec.task",
    "Todo": "proctor.engine.executors.contract",
    "ToldPlace": "proctor.agents.contract",
    "Tool": "proctor.worlds.tool",
    "ToolError": "proctor.core.errors",
    "ToolResult": "proctor.spec.task",
    "Value": "proctor.instruments.base",
    "Verification": "proctor.spec.task",
    "Work": "proctor.engine.executors.contract",
    "World": "proctor.worlds.world",
    "conditions_of": "proctor.instruments.base",
    "tool": "proctor.worlds.tool",
}
"""Where each name is defined. A new contract is added here, to `__all__`, to the imports above and to the page."""

__all__ = [
    "Agent",
    "AgentContext",
    "AgentFailure",
    "AgentKind",
    "AgentString",
    "BaseWorld",
    "Beside",
    "Budget",
    "CarriesOver",
    "Case",
    "ChatModel",
    "Claim",
    "Closes",
    "Concludes",
    "Conclusion",
    "Condition",
    "DecisionMeasures",
    "Deliveries",
    "Draw",
    "Entry",
    "EpisodeContext",
    "EpisodeRecord",
    "EpisodeWriter",
    "Estimate",
    "Evidence",
    "EvidenceStore",
    "Example",
    "Executor",
    "ExecutorFactory",
    "Family",
    "FamilySpec",
    "Finite",
    "Flag",
    "FlagShown",
    "ForProject",
    "GenericSection",
    "GivenAnswers",
    "HandsOver",
    "HasEvents",
    "HasScenarios",
    "Importer",
    "Instance",
    "Instrument",
    "Knob",
    "Learns",
    "MarksState",
    "Markup",
    "Memory",
    "Message",
    "Metric",
    "ModelKind",
    "ModelString",
    "NextShift",
    "Notice",
    "Observation",
    "OpensData",
    "Place",
    "Placement",
    "Ratio",
    "Reading",
    "ReadsBeside",
    "ReadsTogether",
    "Regime",
    "Releases",
    "Remembers",
    "Reply",
    "Report",
    "Request",
    "Rules",
    "ScaffoldSession",
    "Section",
    "SectionKind",
    "ServiceFailure",
    "Session",
    "SetAside",
    "SolvedBy",
    "State",
    "StoreFactory",
    "Stream",
    "Submission",
    "Suite",
    "SuiteOnData",
    "SumsUp",
    "Surroundings",
    "TakesIntervention",
    "TaskView",
    "Todo",
    "ToldPlace",
    "Tool",
    "ToolError",
    "ToolResult",
    "Value",
    "Verification",
    "Work",
    "World",
    "conditions_of",
    "tool",
]


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        message = f"module 'proctor.contracts' has no attribute {name!r}"
        raise AttributeError(message)
    from importlib import import_module

    return getattr(import_module(home), name)


def __dir__() -> list[str]:
    return sorted(__all__)
