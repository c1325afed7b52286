"""The model proxy of one agent: what it may ask, and what becomes of it."""

from __future__ import annotations

import asyncio
import hmac
import os
import secrets
import socket
from collections.abc import Mapping
from time import monotonic, perf_counter_ns
from typing import Any, Final

import msgspec

from proctor.agents.contract import Session
from proctor.agents.model_proxy.forwarding import Begun, Failure, Forwarding
from proctor.agents.model_proxy.hosted import reaches_out
from proctor.agents.model_proxy.http_server import Answering, HttpRequest, HttpServer
from proctor.agents.model_proxy.interfaces import INTERFACES, Interface
from proctor.agents.model_proxy.interfaces.interface import openai_error
from proctor.agents.model_proxy.limits import Granted, uncountable
from proctor.agents.model_proxy.reading import ReplyReader, packed, unpacked
from proctor.agents.model_proxy.redaction import Redactor
from proctor.agents.model_proxy.traffic import Slot, Traffic
from proctor.agents.model_proxy.upstream import BrokenOff, key_of
from proctor.agents.process.ports.port import Port
from proctor.agents.process.ports.service import Opened
from proctor.core.errors import BenchError, LimitReached
from proctor.core.secrecy import declared_secrets, is_secret
from proctor.models.http.client import HttpClient
from proctor.models.recorded import recording
from proctor.spec.exchange import Exchange
from proctor.spec.own_models import OwnModel
from proctor.spec.system import System
from proctor.spec.task import TaskView

NO_KEY: Final = "proctor"
"""What a confined agent finds where clients look for a key: nobody else can reach its port."""
_AT_ONCE: Final = 32
"""Requests of one agent that are served at the same time; further ones wait."""
_BUFFER: Final = 1 << 20
"""A plain reply up to this size is passed on when it is whole, so that it can be asked for again if it breaks off."""
_TRIES: Final = 3
_FINAL: Final = {"x-should-retry": "false"}
"""Official clients then do not ask again: whatever could be tried again has been."""
_EVENTS: Final = {"content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache"}
_JSON: Final = {"content-type": "application/json"}
_USAGE: Final = "include_usage"
_OUTSIDE: Final = (
    "no episode is under way: models can be asked while the agent works on a task, not while it is loaded or between "
    "tasks"
)


class ModelProxy:
    """Serves one agent through all its processes and episodes."""

    def __init__(self, system: System, *, confined: bool) -> None:
        self._system = system
        self._models: dict[tuple[str, str], OwnModel] = {(model.provider, model.name): model for model in system.models}
        # Without walls any program of the machine could reach the port.
        self._token = None if confined else f"proctor-{secrets.token_urlsafe(24)}"
        keys = [key for model in system.models if (key := key_of(model)) is not None]
        given = declared_secrets(system.env, os.environ)
        # Replies go on record compressed: what the agent told the model must not come back in them either.
        self._redactor = Redactor([*keys, *(value for name, value in given.items() if is_secret(name, value))])
        self._server: HttpServer | None = None
        self._http = HttpClient()
        self._forwarding: Forwarding | None = None
        self._at_once = asyncio.Semaphore(_AT_ONCE)
        self._traffic: Traffic | None = None
        """Of the episode that is under way."""
        self._ended: Traffic | None = None
        """Of the one before."""

    @property
    def port(self) -> Port:
        key = self._token or NO_KEY
        found: dict[str, str] = {}
        providers = {model.provider for model in self._system.models}
        if "openai" in providers:
            found |= {"OPENAI_BASE_URL": "http://127.0.0.1:{port}/v1", "OPENAI_API_KEY": key}
            # Its traces would go elsewhere than to the models.
            found["OPENAI_AGENTS_DISABLE_TRACING"] = "1"
        if "anthropic" in providers:
            found |= {"ANTHROPIC_BASE_URL": "http://127.0.0.1:{port}", "ANTHROPIC_API_KEY": key}
        return Port("models", found)

    async def serve(self, listening: socket.socket) -> None:
        self.close()
        if self._forwarding is None:
            self._forwarding = Forwarding(self._http.connections())
        self._server = HttpServer(self._handle, self._unreadable)
        await self._server.open(listening)

    def begin(self, task: TaskView, session: Session, opened: Opened) -> None:
        self._traffic = Traffic(task, session, opened, self._system)

    def look(self) -> None:
        traffic = self._traffic or self._ended
        if traffic is not None and traffic.trouble is not None:
            raise traffic.trouble

    async def end(self, *, at_once: bool) -> None:
        traffic, self._ended = self._traffic, self._traffic
        self._traffic = None
        if traffic is not None:
            await traffic.end(at_once=at_once)

    def close(self) -> None:
        if self._server is not None:
            self._server.close()
            self._server = None

    async def release(self) -> None:
        self.close()
        self._forwarding = None
        await self._http.close()

    async def _unreadable(self, status: int, message: str, answering: Answering) -> None:
        """Answer what is no request that could be read."""
        traffic = self._traffic
        if traffic is not None and traffic.open:
            traffic.refused({"unreadable": message[:200]}, status)
        await answering.json(status, openai_error(status, message), {**_FINAL, "connection": "close"})

    async def _handle(self, request: HttpRequest, answering: Answering) -> None:
        interface = INTERFACES.get(request.path)
        shape = interface.error if interface is not None else openai_error

        async def refuse(status: int, message: str) -> None:
            await answering.json(status, shape(status, message), _FINAL)

        if self._token is not None and not _knows(request.headers, self._token):
            await refuse(401, "this port belongs to an agent that Proctor examines; its key is in the environment")
        elif interface is None:
            await self._listed(request, answering, refuse)
        elif request.method != "POST":
            await refuse(405, f"{request.path} takes POST requests")
        elif (traffic := self._traffic) is None or not traffic.open:
            await refuse(403, _OUTSIDE)
        else:
            task = traffic.enter()
            try:
                async with self._at_once:
                    await self._admit(traffic, interface, request, answering)
            finally:
                traffic.leave(task)

    async def _listed(self, request: HttpRequest, answering: Answering, refuse: Any) -> None:
        """The models that may be asked, as both interfaces list them."""
        models = [
            {"id": model.name, "object": "model", "type": "model", "created": 0, "owned_by": model.provider}
            for model in self._system.models
        ]
        if request.method == "GET" and request.path == "/v1/models":
            await answering.json(200, {"object": "list", "data": models, "has_more": False})
            return
        name = request.path.removeprefix("/v1/models/")
        found = next((model for model in models if model["id"] == name), None)
        if request.method == "GET" and found is not None:
            await answering.json(200, found)
            return
        known = ", ".join((*INTERFACES, "/v1/models"))
        await refuse(404, f"Proctor's proxy has no {request.path[:200]}; there are {known}")

    async def _admit(self, traffic: Traffic, interface: Interface, request: HttpRequest, answering: Answering) -> None:
        """Pass a request on if it may be."""
        problem: tuple[int, str] | None = None
        body: Any = None
        try:
            body = msgspec.json.decode(request.body)
        except (msgspec.DecodeError, ValueError, RecursionError):
            problem = (400, "the request is no JSON")
        model: OwnModel | None = None
        if problem is None and (not isinstance(body, dict) or not isinstance(body.get("model"), str)):
            problem = (400, "the request is no JSON object with a `model`")
        elif problem is None:
            model = self._models.get((interface.provider, body["model"]))
            problem = self._objection(interface, model, body, request.body)
        if problem is None and traffic.limit is not None:
            problem = (429, f"{traffic.limit}; no further request is passed on")
        granted: Granted | None = None
        if problem is None and model is not None:
            try:
                granted = traffic.grant(model, interface, body, request.body)
            except (LimitReached, BenchError) as over:
                problem = (429, f"{over}; this request could exceed it, and is not passed on")
        if problem is not None or model is None:
            status, message = problem or (404, "")
            known = body if isinstance(body, dict) else {"unreadable": request.body[:200].decode(errors="replace")}
            traffic.refused(traffic.on_record(interface, known, request.body), status)
            await answering.json(status, interface.error(status, message), _FINAL)
            return
        asking = _Asking(self._redactor, traffic, interface, model, request, body, granted, answering)
        if recording() is not None:
            await asking.replay()
        elif self._forwarding is not None:
            await asking.pass_on(self._forwarding)

    def _objection(
        self, interface: Interface, model: OwnModel | None, body: dict[str, Any], raw: bytes
    ) -> tuple[int, str] | None:
        if model is None:
            names = [name for provider, name in self._models if provider == interface.provider]
            message = (
                f"the model '{body['model'][:200]}' is not declared; system.models declares for this interface: "
                f"{', '.join(names) or 'none'}"
            )
            return 404, message
        reason = reaches_out(body, raw, model.hosted_tools) or uncountable(body)
        return None if reason is None else (400, reason)


class _Asking:
    """One request to one model, from admission to record."""

    def __init__(
        self,
        redactor: Redactor,
        traffic: Traffic,
        interface: Interface,
        model: OwnModel,
        request: HttpRequest,
        body: dict[str, Any],
        granted: Granted | None,
        answering: Answering,
    ) -> None:
        self._redactor = redactor
        self._traffic = traffic
        self._interface = interface
        self._model = model
        self._headers = request.headers
        self._answering = answering
        self._body = body
        self._granted = granted
        self._held = None if granted is None else granted.held
        self._raw, self._hide_usage = _as_sent(interface, body if granted is None else granted.body)
        self._request = traffic.on_record(interface, body, request.body)
        self._slot: Slot = traffic.slot()
        self._began = perf_counter_ns()
        self._attempts = 0

    async def pass_on(self, forwarding: Forwarding) -> None:
        """Ask the provider, and pass back what it says."""
        try:
            for last in (*(False,) * (_TRIES - 1), True):
                async with forwarding.send(self._model, self._interface, self._raw, self._headers) as outcome:
                    self._attempts += outcome.attempts
                    if isinstance(outcome, Failure):
                        failure = outcome
                    elif (broken := await self._reply(outcome)) is None:
                        return
                    else:
                        failure = broken
                if isinstance(outcome, Failure) or self._answering.started or last:
                    break
            await self._failed(forwarding, failure)
        finally:
            if self._slot.exchange is None:
                # The episode ended before the reply did.
                self._fill(None, "connection", {"abandoned": True})

    async def _reply(self, begun: Begun) -> Failure | None:
        """Pass a reply back as it comes; how it failed, where it did not get to its end."""
        reply = begun.reply
        reader = ReplyReader(self._interface, self._redactor, events=reply.events, hide_usage=self._hide_usage)
        task = asyncio.current_task()
        assert task is not None
        self._traffic.begun.add(task)
        done = False
        try:
            if reply.events:
                await self._answering.start(reply.status, _EVENTS)
                async for piece in reply.pieces():
                    await self._answering.send(reader.feed(piece))
            else:
                held = bytearray()
                async for piece in reply.pieces():
                    held += reader.feed(piece)
                    if self._answering.started or len(held) > _BUFFER:
                        if not self._answering.started:
                            await self._answering.start(reply.status, _JSON)
                        await self._answering.send(bytes(held))
                        held.clear()
            rest = reader.finish()
            done = True
        except BrokenOff as broken:
            return Failure(None, trouble=broken.trouble)
        finally:
            self._traffic.begun.discard(task)
            if self._answering.started or done:
                # However it ended: what was said was said, and is counted.
                self._settle(reader, reply.status, done)
        if self._answering.started:
            await self._answering.send(rest if reply.events else bytes(held) + rest)
            await self._answering.end()
        else:
            await self._answering.whole(reply.status, bytes(held) + rest, _JSON)
        return Failure(None, trouble="connection") if reader.failed else None

    def _settle(self, reader: ReplyReader, status: int, done: bool) -> None:
        reader.trim()
        details = {**reader.details(), "status": status}
        if not done:
            details["broken_off"] = True
        if self._answering.gone:
            details["client_left"] = True
        self._traffic.spend(self._model, reader.heard, self._held, complete=done)
        self._held = None
        understood = bool(reader.heard.model or reader.heard.text or reader.heard.calls)
        error = None if done and understood else "payload_not_object" if done else "connection"
        self._fill(None if error else reader.text, error, details, reader.calls)

    async def _failed(self, forwarding: Forwarding, failure: Failure) -> None:
        """No reply, or one that broke off: find out whose fault it is, and tell the agent."""
        service = None
        if failure.doubtful:
            service = await forwarding.verdict(self._model, self._interface, failure, monotonic())
        said = self._redactor.whole(failure.body)
        status = failure.status or (504 if failure.trouble == "timeout" else 502)
        if self._slot.exchange is None:
            details = {"status": status, **packed(said)}
            self._fill(None, _error_of(failure), details)
        if service is not None:
            self._traffic.trouble = self._traffic.trouble or service
        if self._answering.started:
            self._answering.break_off()
        elif service is not None or not said:
            message = "the model does not answer; the episode ends here" if service else f"the model: {failure.words}"
            await self._answering.json(status, self._interface.error(status, message), _FINAL)
        else:
            await self._answering.whole(status, said, {**_JSON, **_FINAL})

    async def replay(self) -> None:
        """Answer from the record of an earlier run."""
        known = recording()
        assert known is not None
        try:
            error, details = known.exchange(self._traffic.nonce, self._request, self._traffic.ordinal(self._request))
            body = unpacked(details)
            if body is None:
                message = f"a reply of {self._model.label} was too long to be recorded whole, so it cannot be replayed"
                raise BenchError(message)
        except BenchError as missing:
            self._traffic.trouble = self._traffic.trouble or missing
            self._fill(None, "connection", {})
            await self._answering.json(503, self._interface.error(503, "this is not on record"), _FINAL)
            return
        reader = ReplyReader(self._interface, self._redactor, events=bool(details.get("events")))
        passed = reader.feed(body)
        passed += reader.finish()
        status = details.get("status", 200)
        if error is None:
            self._traffic.spend(self._model, reader.heard, self._held, complete=True)
            self._held = None
        text, calls = (None, ()) if error is not None else (reader.text, reader.calls)
        self._fill(text, error, details, calls, latency=False)
        headers = {**(_EVENTS if details.get("events") else _JSON), **({} if status < 400 else _FINAL)}
        await self._answering.whole(status, passed, headers)
        if details.get("broken_off"):
            self._answering.break_off()

    def _fill(
        self,
        text: str | None,
        error: str | None,
        details: Mapping[str, Any],
        calls: tuple[dict[str, Any], ...] = (),
        *,
        latency: bool = True,
    ) -> None:
        told = dict(details)
        if self._granted is not None:
            told["reply_limit"] = self._granted.reply_tokens
        if self._held is not None:
            # Nobody said anything: nothing was used.
            self._held.release()
            self._held = None
        if latency:
            told |= {"attempts": self._attempts, "latency_ms": (perf_counter_ns() - self._began) // 1_000_000}
        self._traffic.fill(self._slot, Exchange(self._model.label, self._request, text, error, told, calls))


def _error_of(failure: Failure) -> str:
    if failure.status is None:
        return failure.trouble or "connection"
    if failure.status == 429:
        return "rate_limit"
    return "http_5xx" if failure.status >= 500 else "http_4xx"


def _knows(headers: Mapping[str, str], token: str) -> bool:
    given = headers.get("x-api-key") or headers.get("authorization", "").removeprefix("Bearer ")
    return hmac.compare_digest(given.encode(), token.encode())


def _as_sent(interface: Interface, body: dict[str, Any]) -> tuple[bytes, bool]:
    """The request as it goes on, and whether the counts in its reply were asked for by the bench alone.

    What was read is what is sent: nothing passes in a shape that the provider might read in another way. Streamed chat
    completions are counted only on demand, so that is demanded.
    """
    options = body.get("stream_options")
    hide = False
    if (
        interface.name == "chat"
        and body.get("stream")
        and not (isinstance(options, dict) and options.get(_USAGE) is True)
    ):
        body = {**body, "stream_options": {**(options if isinstance(options, dict) else {}), _USAGE: True}}
        hide = True
    return msgspec.json.encode(body), hide
