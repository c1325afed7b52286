"""Runs in an environment that has inspect-ai and nothing of Proctor: `python inspect_tasks.py SHAPE INSTANCES LOGS`.

- `trivial`: a solver that hands in the number it was shown, without a model.
- `agent`: Inspect's own loop of ten tool calls, with a mock model that asks for one tool at a time.
- `solver`: the same ten calls through `execute_tools` from a solver of our own, without any model: the least that
  Inspect can do for a recorded tool call.

Tuned: no display, no live log, no live scores, no control server, the log written in large pieces, warnings off.
Samples are logged with their events, since that is what we do too. Tools are made once and keep their state in a plain
dictionary. `max_samples` is what was fastest when tried (1, 10, 100 and 1,000 differ by little).
"""

# Where inspect-ai is not installed its decorators are unknown to the type checker.
# mypy: disable-error-code="untyped-decorator"

from __future__ import annotations

import inspect
import json
import sys
from pathlib import Path
from typing import Any

from inspect_ai import Task
from inspect_ai import eval as evaluate
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import (
    ChatMessageAssistant,
    ModelOutput,
    ModelUsage,
    execute_tools,
    get_model,
)
from inspect_ai.scorer import CORRECT, INCORRECT, Score, accuracy, scorer
from inspect_ai.solver import generate, solver, use_tools
from inspect_ai.tool import ToolCall, tool

RECORDS: dict[str, str] = {}
NOTES: dict[str, str] = {}
_USAGE = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
_TUNED = {
    "display": "none",
    "log_realtime": False,
    "log_buffer": 1000,
    "log_samples": True,
    "log_images": False,
    "log_model_api": False,
    "log_level": "error",
    "log_level_transcript": "error",
    "score_display": False,
    "ctl_server": False,
    "max_samples": 10,
}


@tool
def look_up() -> Any:
    async def execute(key: str) -> str:
        """Read the record with this key.

        Args:
            key: The key of the record.
        """
        return RECORDS.get(key, "no such record")

    return execute


@tool
def amend() -> Any:
    async def execute(key: str, note: str) -> str:
        """Attach a note to the record with this key.

        Args:
            key: The key of the record.
            note: The note.
        """
        NOTES[key] = note
        return f"noted on {key}"

    return execute


@solver
def hand_in() -> Any:
    async def solve(state: Any, generate: Any) -> Any:
        state.output = ModelOutput.from_content("none", state.input_text)
        state.completed = True
        return state

    return solve


@solver
def call_all() -> Any:
    tools = [look_up(), amend()]

    async def solve(state: Any, generate: Any) -> Any:
        for name, arguments in _calls(state.metadata):
            call = ToolCall(id=f"call-{len(state.messages)}", function=name, arguments=arguments)
            state.messages.append(ChatMessageAssistant(content="", tool_calls=[call]))
            answered = await execute_tools(state.messages, tools)
            state.messages.extend(answered.messages)
        state.completed = True
        return state

    return solve


@scorer(metrics=[accuracy()])
def number_matches() -> Any:
    async def score(state: Any, target: Any) -> Score:
        return Score(value=CORRECT if state.output.completion == target.text else INCORRECT)

    return score


@scorer(metrics=[accuracy()])
def notes_match() -> Any:
    async def score(state: Any, target: Any) -> Score:
        wanted = state.metadata["notes"]
        right = all(NOTES.get(key) == note for key, note in wanted.items())
        return Score(value=CORRECT if right else INCORRECT)

    return score


def _calls(metadata: dict[str, Any]) -> list[tuple[str, dict[str, str]]]:
    calls: list[tuple[str, dict[str, str]]] = []
    for key, note in metadata["notes"].items():
        calls += [("look_up", {"key": key}), ("amend", {"key": key, "note": note})]
    return calls


def _model(plans: dict[str, list[tuple[str, dict[str, str]]]]) -> Any:
    """A mock model that asks for the next call of the sample's plan; the sample is known by its first message."""

    def answer(messages: list[Any], *_: Any) -> ModelOutput:
        plan = plans[messages[0].text]
        done = sum(message.role == "tool" for message in messages)
        if done == len(plan):
            output = ModelOutput.from_content("mockllm/model", "done")
        else:
            output = ModelOutput.for_tool_call("mockllm/model", *plan[done])
        # Without this the mock model counts tokens, which costs more than everything else.
        output.usage = _USAGE
        return output

    return get_model("mockllm/model", custom_outputs=answer)


def _samples(shape: str, instances: list[dict[str, Any]]) -> list[Sample]:
    if shape == "trivial":
        numbers = [str(one["hidden"]["number"]) for one in instances]
        return [Sample(input=number, target=number) for number in numbers]
    samples = []
    for one in instances:
        text = f"{one['goal']} Keys: {', '.join(one['shown']['keys'])}."
        samples.append(Sample(input=text, metadata={"notes": one["hidden"]["notes"]}))
        RECORDS.update(one["hidden"]["records"])
    return samples


def _task(shape: str, samples: list[Sample]) -> tuple[Task, Any]:
    dataset = MemoryDataset(samples)
    if shape == "trivial":
        return Task(dataset=dataset, solver=hand_in(), scorer=number_matches()), None
    if shape == "solver":
        return Task(dataset=dataset, solver=call_all(), scorer=notes_match()), None
    plans = {str(sample.input): _calls(sample.metadata or {}) for sample in samples}
    chain = [use_tools(look_up(), amend()), generate()]
    return Task(dataset=dataset, solver=chain, scorer=notes_match()), _model(plans)


def main() -> None:
    shape, instances, logs = sys.argv[1:]
    samples = _samples(shape, json.loads(Path(instances).read_text()))
    task, model = _task(shape, samples)
    known = inspect.signature(evaluate).parameters
    options = {name: value for name, value in _TUNED.items() if name in known}
    log = evaluate(task, model=model, log_dir=logs, **options)[0]
    if log.status != "success" or log.results is None:
        raise SystemExit(f"{shape}: {log.status} {log.error and log.error.message}")
    right = log.results.scores[0].metrics["accuracy"].value
    if right != 1.0 or log.results.completed_samples != len(samples):
        raise SystemExit(f"{shape}: only {right} of the samples are right")
    print(json.dumps({"calls": 0 if shape == "trivial" else 2 * len(NOTES)}))


if __name__ == "__main__":
    main()
