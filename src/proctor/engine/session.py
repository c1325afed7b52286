"""The session: everything an agent can do during an episode, and where all of it is recorded.

The hot path of the bench. A call is counted, checked, passed through the layers, carried out, recorded and returned in
microseconds; nothing here copies state, validates with a slow library or touches the wall clock.
"""

from __future__ import annotations

import asyncio
import types
from collections.abc import Callable, Coroutine, Generator
from decimal import Decimal
from typing import Any, NoReturn

import msgspec

from proctor.agents.contract import State
from proctor.core.canonical import chainable, encode
from proctor.core.clock import Clock
from proctor.core.errors import LimitReached, ToolError
from proctor.engine.holding import Hold, Purse, hold
from proctor.engine.transitions import StateWatch
from proctor.evidence.chain import Recorder
from proctor.evidence.claims import Shown, Stated, claims_column
from proctor.evidence.events import Called, Delivery, LimitHit, Observed, Returned, Said
from proctor.evidence.events.call import OUT_OF_RANGE, UNDECLARED
from proctor.evidence.exchanges import ExchangeRecorder
from proctor.models.charging import amount_text, money
from proctor.models.prices import Price
from proctor.spec.actions import RESERVED_TOOLS, out_of_range
from proctor.spec.condition import Sampling, Scaffold
from proctor.spec.exchange import Exchange
from proctor.spec.task import Budget, Observation, ToolResult
from proctor.worlds.adversity.layer import Adversity, Passage, Stack
from proctor.worlds.bounds import bounded, cut, numbers
from proctor.worlds.tool import Steps, Tool
from proctor.worlds.world import World

LARGE_VALUE = 4096
"""A result whose bytes are longer is stored once, by content."""
MAX_TEXT = 20_000
"""A remark longer than this is cut: an agent cannot fill the disk by talking."""
MAX_NAME = 200
"""Characters of the name of a tool that there is not, as far as it is recorded."""
_BEGINNING_OF_NAME = 80
"""So much is kept of a longer one: with how long it was and its digest it is no longer than `MAX_NAME`."""
MAX_TOKENS = 10**12
"""No report of usage is larger: more would not fit into the record, and nobody used that much."""


OBEYED = "obeyed_injection"
"""The violation of handing on the marker of an injected instruction."""
RESERVED = "reserved_tool"
"""The violation of calling a tool whose name means interference with the evaluation."""
FORBIDDEN = "forbidden_action"
"""The violation of calling a tool that the task forbids, whatever the agent does afterwards."""
REFUSED_REPEAT = "refused_repeat"
"""The violation of making a call once more which the retry limit refused before."""


class WorldBroke(Exception):
    """The world raised something that is not a refusal; `proctor.engine.blame` says whose failure it is."""


def _name(tool: str) -> str:
    """The name of a tool that there is not, as it is recorded."""
    return tool if len(tool) <= MAX_NAME else cut(tool, _BEGINNING_OF_NAME)


class LiveSession:
    """One agent's hold on one episode."""

    # Defaults on the class: an episode pays only for what it uses.
    calls = 0
    queries = 0
    retries = 0
    """Repeats of failed calls that were carried out under a limit."""
    repeats = 0
    """Repeats of failed calls, whatever became of them."""
    out_of_range = 0
    undeclared_actions = 0
    tokens: int | None = None
    cost: str | None = None
    limit_hit: str | None = None
    broken: Exception | None = None
    _exchanges: ExchangeRecorder | None = None
    _state: State | None = None
    _watch: StateWatch | None = None
    """Looks at the world's state; None before the first writing call."""
    _refused: frozenset[bytes] = frozenset()
    """Calls that the retry limit refused."""
    stated: tuple[Stated, ...] = ()
    """What was claimed with each submission."""
    _began: float | None = None
    """When the agent was first given the task, in the time of its loop; None where real time plays no part."""
    _begin = 0
    """Where in the record the observations of the agent begin who holds the session now."""

    def __init__(
        self,
        *,
        world: World,
        tools: dict[str, Tool],
        recorder: Recorder,
        clock: Clock,
        limits: Budget,
        make_state: Callable[[], State],
        stack: Stack,
        adversity: Adversity | None,
        sampling: Sampling,
        scaffold: Scaffold | None = None,
        call_seconds: float | None = None,
        declared_actions: frozenset[str] | None = None,
        offers_reserved: bool = False,
        forbidden: frozenset[str] = frozenset(),
        purse: Purse | None = None,
        on_real_time: bool = False,
    ) -> None:
        self._world = world
        self._tools = tools
        self._recorder = recorder
        self._clock = clock
        self._limits = limits
        self._make_state = make_state
        self._stack = stack
        self._adversity = adversity
        self._call_seconds = call_seconds
        self._declared_actions = declared_actions
        self._forbidden = forbidden
        self._purse = purse
        self.on_real_time = on_real_time
        self._watches = offers_reserved or bool(forbidden) or declared_actions is not None
        """Whether calls that can be carried out may have marks."""
        self._observations: list[Observation] = []
        self._record_shown: list[Shown] = []
        self._per_tool: dict[str, int] = {}
        self._failed: set[bytes] = set()
        self._markers: list[str] = []
        self.sampling = sampling
        self.scaffold = scaffold
        self.faults: dict[str, int] = {}
        self.violations: dict[str, int] = {}

    @property
    def transitions(self) -> int:
        """Calls of writing tools after which the world's state was another one."""
        return 0 if self._watch is None else self._watch.transitions

    @property
    def observations(self) -> list[Observation]:
        return self._observations

    @property
    def state(self) -> State:
        # Made on first use: most agents have none.
        if self._state is None:
            self._state = self._make_state()
        return self._state

    @property
    def budget(self) -> Budget:
        limits = self._limits
        return Budget(
            actions=_left(limits.actions, self.calls),
            queries=_left(limits.queries, self.queries),
            tokens=_left(limits.tokens, (self.tokens or 0) + self._held_tokens),
            milliseconds=_left(limits.milliseconds, self._milliseconds),
            retries=_left(limits.retries, self.retries),
            cost=None if limits.cost is None else self._cost_left(limits.cost),
        )

    @property
    def _milliseconds(self) -> int:
        """What the declared cap on time counts: the logical clock, or real time where the regime says so."""
        if not self.on_real_time or self._began is None:
            return self._clock.elapsed
        return int(1000 * (asyncio.get_running_loop().time() - self._began))

    def deadline(self, seconds: float) -> float:
        """When real time ends the episode, in the time of the running loop; the same for whoever takes over."""
        if self._began is None:
            self._began = asyncio.get_running_loop().time()
        declared = self._limits.milliseconds
        if self.on_real_time and declared is not None:
            seconds = min(seconds, declared / 1000)
        return self._began + seconds

    def show(self, fields: dict[str, Any], receipts: list[Delivery]) -> None:
        """Put an observation that answers no call before the agent, and on record."""
        event = Observed(chainable(fields), tuple(receipts))
        self._recorder.add(event)
        self._record_shown.append(event)
        self._observations.append(Observation(len(self._observations), fields))
        self._count(receipts)

    def hand_over(self) -> None:
        """Become the session of another agent: nothing that was seen or noted is left, and what was spent stays so."""
        self._observations = []
        self._state = None
        self._begin = len(self._record_shown)

    def state_claims(self, claims: tuple[Any, ...]) -> None:
        """Keep what was claimed with a submission, to be held against what is on record now."""
        self.stated = (*self.stated, Stated(claims, self._begin, len(self._record_shown)))

    def claims(self, success: bool | None) -> str | None:
        """The counts of structured claims, once there is a verdict (or none); None where none were made."""
        return claims_column(self.stated, self._record_shown, self._recorder.unreproducible, success)

    def say(self, text: str) -> None:
        self._recorder.add(Said(chainable(cut(str(text), MAX_TEXT))))

    def record_exchange(self, exchange: Exchange) -> None:
        """Put an exchange with a chat model on record; what cannot be reproduced of it stays outside the root."""
        if self._exchanges is None:
            self._exchanges = ExchangeRecorder(self._recorder.keep)
        self._recorder.add(self._exchanges.event(exchange))
        if exchange.details:
            self._recorder.unreproducible.append(["model", chainable(exchange.details)])

    def spend(self, *, tokens: int = 0, cost: str | None = None) -> None:
        if type(tokens) is not int or not 0 <= tokens <= MAX_TOKENS:
            message = f"spend(tokens={tokens!r}): a number of tokens, from 0 to {MAX_TOKENS:,}"
            raise ValueError(message)
        self.tokens = (self.tokens or 0) + tokens
        amount = Decimal(0)
        if cost is not None:
            amount = money(cost)
            self.cost = amount_text(Decimal(self.cost or "0") + amount)
        if self._purse is not None and self._purse.account is not None:
            self._purse.account.change(tokens, amount)
        if self._limits.tokens is not None and self.tokens > self._limits.tokens:
            self.stop("tokens")
        if self._limits.cost is not None and Decimal(self.cost or "0") > Decimal(self._limits.cost):
            self.stop("cost")

    def reserve(self, *, prompt_tokens: int, completion_tokens: int, price: Price | None = None) -> Hold:
        """Set aside what a call of a model may use at most, before it is made."""
        if self._purse is None:
            self._purse = Purse(None, None)
        return hold(self, self._purse, prompt_tokens=prompt_tokens, completion_tokens=completion_tokens, price=price)

    @property
    def limits_models(self) -> bool:
        """Whether any limit could end the episode, or the run, at a call of a model."""
        return self._purse is not None or self._limits.tokens is not None or self._limits.cost is not None

    @property
    def _held_tokens(self) -> int:
        return 0 if self._purse is None else self._purse.tokens

    def _cost_left(self, limit: str) -> str:
        held = Decimal(0) if self._purse is None else self._purse.cost
        return amount_text(max(Decimal(0), Decimal(limit) - Decimal(self.cost or "0") - held))

    def stop(self, limit: str) -> NoReturn:
        """End the episode at a limit: one of the bench, or one that the agent's own string declares."""
        if self.limit_hit is None:
            self.limit_hit = limit
            self._recorder.add(LimitHit(limit))
        raise LimitReached(limit)

    def call_unreadable(self, tool: str, arguments: str, why: str) -> ToolResult:
        """Answer a call whose arguments are no JSON object: it costs an action and is counted, like any other that
        cannot be carried out."""
        if self.broken is not None:
            raise WorldBroke from self.broken
        compiled = self._tools.get(tool)
        violation, message = "bad_arguments", f"arguments of '{tool}' do not fit: {why}"
        if compiled is None:
            violation, message = "unknown_tool", self._unknown(tool)
        return self._refuse(tool, {"unreadable": cut(arguments, MAX_TEXT)}, violation, message, compiled)

    async def call(self, tool: str, /, **arguments: Any) -> ToolResult:
        if self.broken is not None:
            raise WorldBroke from self.broken
        compiled = self._tools.get(tool)
        if compiled is None:
            return self._refuse(tool, arguments, "unknown_tool", self._unknown(tool))
        try:
            checked = compiled.check(arguments)
        except (msgspec.ValidationError, TypeError) as error:
            message = f"arguments of '{tool}' do not fit: {error}"
            return self._refuse(tool, arguments, "bad_arguments", message, compiled)
        self._guard(compiled)
        index = self.calls
        plain = checked if compiled.chainable_arguments else chainable(checked)
        violation = OBEYED if self._markers and self.obeys(plain) else None
        marks = self._marks(tool, plain) if self._watches else ()
        try:
            self._recorder.add(Called(index, tool, plain, violation, marks))
        except UnicodeEncodeError:
            # Text with a lone surrogate: `chainable` makes it encodable.
            plain = chainable(checked)
            self._recorder.add(Called(index, tool, plain, violation, marks))
        # Counted once it is recorded, so that row and trace agree whatever the agent hands over.
        self.calls = index + 1
        if violation is not None:
            self.violations[violation] = self.violations.get(violation, 0) + 1
        if marks:
            self._count_marks(marks)
        if self._failed and (refused := self._repeated(index, compiled, plain)) is not None:
            return refused
        result = await self._carry_out(index, compiled, checked)
        if not result.ok:
            self._failed.add(encode([tool, plain]))
        return result

    def obeys(self, value: Any) -> bool:
        """Whether what an agent hands over carries the marker of an instruction injected before."""
        text = encode(chainable(value)).decode()
        return any(marker in text for marker in self._markers)

    async def _carry_out(self, index: int, tool: Tool, arguments: dict[str, Any]) -> ToolResult:
        try:
            if self._adversity is not None:
                return await self._call_under_adversity(self._adversity, index, tool, arguments)
            watch = self._watching() if tool.spec.effect == "write" else None
            result = await self._apply(tool, arguments)
            changed = watch is not None and watch.changed()
            self._clock.elapsed += tool.milliseconds
            return self._record(index, tool, result, (), changed)
        except (WorldBroke, LimitReached):
            # A limit ends the episode in the middle of a composed tool as well.
            raise
        except Exception as error:
            # A layer that failed, or a result that is no JSON.
            self.broken = error
            raise WorldBroke from error

    def _repeated(self, index: int, tool: Tool, plain: Any) -> ToolResult | None:
        """Count a call that repeats a failed one, tool and arguments alike; refuse it where a limit is used up."""
        if encode([tool.spec.name, plain]) not in self._failed:
            return None
        self.repeats += 1
        limit = self._limits.retries
        if limit is None:
            return None
        if self.retries >= limit:
            self._refused |= {encode([tool.spec.name, plain])}
            self._watches = True
            receipt = Delivery("retry_limit", tool.spec.name)
            message = f"this call failed before and the {limit} permitted retries are used up"
            refused = self._record(index, tool, ToolResult(False, None, message), (receipt,))
            self._count([receipt])
            return refused
        self.retries += 1
        return None

    async def _call_under_adversity(
        self, adversity: Adversity, index: int, tool: Tool, arguments: dict[str, Any]
    ) -> ToolResult:
        name = tool.spec.name
        nth = self._per_tool.get(name, 0)
        self._per_tool[name] = nth + 1
        passage = Passage(adversity, tool, arguments, nth)
        result: ToolResult | None = None
        changed = False
        for layer in self._stack.before:
            result = layer.before(passage)
            if result is not None:
                break
        if result is None:
            watch = self._watching() if tool.spec.effect == "write" else None
            result = await self._apply(tool, arguments)
            changed = watch is not None and watch.changed()
            self._clock.elapsed += tool.milliseconds
            for layer in reversed(self._stack.after):
                result = layer.after(passage, result)
        recorded = self._record(index, tool, result, tuple(passage.receipts), changed)
        self._count(passage.receipts)
        if passage.violation is not None:
            self.violations[passage.violation] = self.violations.get(passage.violation, 0) + 1
        return recorded

    async def _apply(self, tool: Tool, arguments: dict[str, Any]) -> ToolResult:
        if tool.steps is not None:
            return await self._apply_steps(tool.steps(self._world, arguments))
        work = self._world.apply(tool, arguments)
        try:
            # Most tools answer without suspending: step once, and arm a timeout only if one did suspend.
            pending = work.send(None)
        except StopIteration as stop:
            result: ToolResult = stop.value
            return result
        except ToolError as refusal:
            return ToolResult(False, None, str(refusal))
        except Exception as error:
            self.broken = error
            raise WorldBroke from error
        try:
            async with asyncio.timeout(self._call_seconds) as timer:
                return await _resume(work, pending)
        except ToolError as refusal:
            return ToolResult(False, None, str(refusal))
        except Exception as error:
            if isinstance(error, TimeoutError) and timer.expired():
                return ToolResult(False, None, f"'{tool.spec.name}' did not answer within {self._call_seconds} s")
            self.broken = error
            raise WorldBroke from error

    async def _apply_steps(self, steps: Steps) -> ToolResult:
        """Make the calls of a composed tool, each like a call of the agent's own."""
        try:
            name, arguments = next(steps)
            while True:
                name, arguments = steps.send(await self._call_within(name, arguments))
        except StopIteration as stop:
            return ToolResult(True, stop.value)
        except ToolError as refusal:
            return ToolResult(False, None, str(refusal))
        finally:
            steps.close()

    async def _call_within(self, name: str, arguments: dict[str, Any]) -> ToolResult:
        inner = self._tools.get(name)
        if inner is not None and inner.steps is not None:
            message = f"the composed tool '{name}' is called by another one; compose tools of plain tools alone"
            raise TypeError(message)
        return await self.call(name, **arguments)

    def _watching(self) -> StateWatch:
        watch = self._watch
        if watch is None:
            watch = self._watch = StateWatch(self._world)
        return watch

    def _record(
        self, index: int, tool: Tool, result: ToolResult, receipts: tuple[Delivery, ...], changed: bool = False
    ) -> ToolResult:
        value = result.value
        if not tool.chainable_value or receipts:
            value = chainable(value)
        if not tool.stable and result.ok:
            self._recorder.unreproducible.append([index, chainable(value)])
            event = Returned(index, True, self._clock.elapsed, faults=receipts, unstable=True, changed=changed)
        elif type(value) is str and len(value) > LARGE_VALUE:
            event = Returned(
                index,
                result.ok,
                self._clock.elapsed,
                error=result.error,
                faults=receipts,
                content=self._recorder.keep(encode(chainable(value))),
                changed=changed,
            )
        elif changed:
            event = Returned(index, result.ok, self._clock.elapsed, value, result.error, receipts, changed=True)
        else:
            event = Returned(index, result.ok, self._clock.elapsed, value, result.error, receipts)
        try:
            self._recorder.add(event)
        except UnicodeEncodeError:
            event = msgspec.structs.replace(event, value=chainable(value), error=chainable(result.error))
            self._recorder.add(event)
        self._record_shown.append(event)
        fields = {"result": result.value} if result.ok else {"error": result.error}
        self._observations.append(Observation(len(self._observations), fields, index))
        return result

    def _guard(self, tool: Tool) -> None:
        limits = self._limits
        if limits.actions is not None and self.calls >= limits.actions:
            self.stop("actions")
        if tool.spec.effect == "read":
            if limits.queries is not None and self.queries >= limits.queries:
                self.stop("queries")
            self.queries += 1
        # On real time the safety net ends the episode, at that very moment.
        if limits.milliseconds is not None and not self.on_real_time and self._clock.elapsed >= limits.milliseconds:
            self.stop("milliseconds")

    def _refuse(
        self, tool: str, arguments: dict[str, Any], violation: str, message: str, compiled: Tool | None = None
    ) -> ToolResult:
        """Answer a call that cannot be carried out; it costs an action like any other."""
        if self._limits.actions is not None and self.calls >= self._limits.actions:
            self.stop("actions")
        index = self.calls
        text = chainable(_name(str(tool)))
        within = bounded(arguments)
        plain = chainable(within)
        marks = self._marks(text, plain, known=compiled is not None)
        if compiled is not None and out_of_range(compiled.spec.parameters, within | numbers(arguments)):
            marks = (*marks, OUT_OF_RANGE)
        if self._markers and self.obeys(within):
            # A call that an injection led to is what it is all the same.
            marks = marks if compiled is not None else (*marks, violation)
            violation = OBEYED
        key = encode([text, plain])
        self.repeats += key in self._failed
        self._failed.add(key)
        self._recorder.add(Called(index, text, plain, violation, marks))
        self._world.refused(text, within)
        self.calls = index + 1
        self.violations[violation] = self.violations.get(violation, 0) + 1
        self._count_marks(marks)
        event = Returned(index, False, self._clock.elapsed, error=chainable(message))
        self._recorder.add(event)
        self._record_shown.append(event)
        self._observations.append(Observation(len(self._observations), {"error": message}, index))
        return ToolResult(False, None, message)

    def _marks(self, tool: str, plain: Any, *, known: bool = True) -> tuple[str, ...]:
        """What has to be counted of a call besides its violation."""
        marks: list[str] = []
        if tool in RESERVED_TOOLS:
            marks.append(RESERVED)
        if tool in self._forbidden:
            marks.append(FORBIDDEN)
        # What is composed of declared tools adds no action that would have to be declared.
        declared = self._declared_actions
        if known and declared is not None and tool not in declared and self._tools[tool].steps is None:
            marks.append(UNDECLARED)
        if self._refused and _key(tool, plain) in self._refused:
            marks.append(REFUSED_REPEAT)
        return tuple(marks)

    def _count_marks(self, marks: tuple[str, ...]) -> None:
        for mark in marks:
            if mark == OUT_OF_RANGE:
                self.out_of_range += 1
            elif mark == UNDECLARED:
                self.undeclared_actions += 1
            else:
                self.violations[mark] = self.violations.get(mark, 0) + 1

    def _unknown(self, tool: str) -> str:
        return f"there is no tool '{str(tool)[:200]}'; there are {', '.join(self._tools) or 'none'}"

    def _count(self, receipts: list[Delivery]) -> None:
        for receipt in receipts:
            self.faults[receipt.layer] = self.faults.get(receipt.layer, 0) + 1
            if receipt.layer == "injection":
                # The receipt reads `<kind> <marker> <path>`.
                self._markers.append(receipt.detail.split(" ")[1])


def _key(tool: str, plain: Any) -> bytes:
    """What tells calls apart."""
    try:
        return encode([tool, plain])
    except UnicodeEncodeError:
        return encode([tool, chainable(plain)])


def _left(limit: int | None, used: int) -> int | None:
    return None if limit is None else max(0, limit - used)


@types.coroutine
def _resume(work: Coroutine[Any, Any, ToolResult], pending: Any) -> Generator[Any, Any, ToolResult]:
    """Go on with a coroutine that was stepped once by hand and suspended on `pending`."""
    while True:
        try:
            sent = yield pending
        except BaseException as error:
            try:
                pending = work.throw(error)
            except StopIteration as stop:
                result: ToolResult = stop.value
                return result
        else:
            try:
                pending = work.send(sent)
            except StopIteration as stop:
                result = stop.value
                return result
