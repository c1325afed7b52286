"""Refusals with a name: what real servers say, and near misses that mean something else."""

from __future__ import annotations

from typing import Any

import pytest

from proctor.models.contract import Message, ModelTool, Reply, Request, refusal_of
from proctor.models.http.refusing import refused

PLAIN = Request((Message("user", "go"),))
TOOLS = Request(PLAIN.messages, tools=(ModelTool("read", "Reads.", {"type": "object"}),))


def error(message: str, **more: Any) -> dict[str, Any]:
    return {"error": {"message": message, **more}}


def name_of(reply: Reply | None) -> str | None:
    return None if reply is None else reply.error


@pytest.mark.parametrize(
    ("status", "said"),
    [
        (400, error("registry.example/library/tiny:latest does not support tools")),
        (400, error('"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set')),
        (404, error("No endpoints found that support tool use. Try disabling read.")),
        (500, error("tools param requires --jinja flag")),
        (400, error("tools is not supported in this model. For a list of supported models, see the guide.")),
        (400, error("Unsupported parameter: 'tools' is not supported with this model.", param="tools")),
        (400, error("Unrecognized request argument supplied: tools")),
        (400, error("`tool calling` is not supported with this model")),
        (400, error("Function calling is not enabled for this model")),
        (422, {"detail": "unexpected keyword argument tools"}),
        (400, {"error": "this model doesn't support tool use"}),
    ],
)
def test_a_server_without_tools_is_known(status: int, said: Any) -> None:
    assert name_of(refused(TOOLS, status, said)) == "no_tools"
    assert name_of(refused(PLAIN, status, said)) != "no_tools", "nobody offered any"


@pytest.mark.parametrize(
    ("status", "said"),
    [
        (400, error("Invalid schema for function 'read': schema must be a JSON Schema of type object; not supported")),
        (400, error("messages with role 'tool' must be a response to a preceding message with 'tool_calls'")),
        (400, error("An assistant message with 'tool_calls' must be followed by tool messages")),
        (400, error("`tool_use` ids were found without `tool_result` blocks immediately after")),
        (400, error("tools.0.input_schema: Extra inputs are not permitted; unsupported schema")),
        (401, error("this key does not support tools")),
        (400, error("bad request")),
        (400, "does not support tools"),
        (400, None),
        (400, [1]),
    ],
)
def test_trouble_with_tools_is_not_their_absence(status: int, said: Any) -> None:
    assert refused(TOOLS, status, said) is None


@pytest.mark.parametrize(
    ("status", "said", "name"),
    [
        (429, error("You exceeded your current quota", code="insufficient_quota"), "quota"),
        (400, {"type": "error", **error("Your credit balance is too low to access the API")}, "quota"),
        (402, None, "quota"),
        (429, error("Rate limit reached for requests"), None),
        (400, error("filtered", code="content_filter"), "declined"),
        (400, error("filtered", innererror={"code": "ResponsibleAIPolicyViolation"}), "declined"),
        (400, error("too many", code="context_length_exceeded"), "too_long"),
        (400, error("prompt is too long: 210000 tokens > 200000 maximum"), "too_long"),
        (
            400,
            error("request (913 tokens) exceeds the available context size", type="exceed_context_size_error"),
            "too_long",
        ),
        (400, error("This model's maximum context length is 8192 tokens; reduce messages or max_tokens."), "too_long"),
        (413, None, "too_long"),
        (500, error("oops"), None),
    ],
)
def test_quota_content_and_length_have_their_names(status: int, said: Any, name: str | None) -> None:
    assert name_of(refused(TOOLS, status, said)) == name


@pytest.mark.parametrize(
    ("said", "parameter"),
    [
        (
            error("Unsupported value: 'temperature' does not support 0.2 with this model.", param="temperature"),
            "temperature",
        ),
        (error("temperature and top_p cannot both be specified for this model"), "temperature"),
        (error("Unsupported parameter: 'max_tokens' is not supported; use max_completion_tokens."), "max_tokens"),
        (error("max_tokens: 900000 is greater than the maximum of 64000"), ""),
        (error("output_config: Extra inputs are not permitted"), "output_config"),
        (error("seedless grapes"), ""),
    ],
)
def test_a_parameter_that_is_not_taken_is_named(said: Any, parameter: str) -> None:
    reply = refused(PLAIN, 400, said)
    assert (reply.parameter if reply else "") == parameter
    if parameter:
        assert reply is not None and f"does not take {parameter}" in refusal_of("openai:m", reply)


def test_what_to_do_next_is_said() -> None:
    assert "has no tool calling" in refusal_of("openai:m", Reply(None, error="no_tools", status=400))
    assert "used up" in refusal_of("openai:m", Reply(None, error="quota", status=429))
    assert "base_url" in refusal_of("openai:m", Reply(None, error="http_4xx", status=308))
    assert refusal_of("openai:m", Reply(None, error="too_long", status=400)) == ""
    assert refusal_of("openai:m", Reply(None, error="http_4xx", status=400)) == ""
    assert refusal_of("local", Reply(None, error="no_tools")).startswith("local: this model has no tool calling")
