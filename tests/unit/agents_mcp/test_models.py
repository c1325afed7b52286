"""A client with a model of its own: it asks through the bench, from a closed sandbox, and what it used is counted."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tests.fake_models import Answer, Asked, Say, serving
from tests.unit.agents_process.conftest import Project

from proctor.spec.system import System

ASKS = """
    def ask(text):
        body = {"model": "gpt-x", "messages": [{"role": "user", "content": text}]}
        headers = {"Content-Type": "application/json", "Authorization": "Bearer none"}
        url = os.environ["OPENAI_BASE_URL"] + "/chat/completions"
        with urllib.request.urlopen(urllib.request.Request(url, json.dumps(body).encode(), headers)) as response:
            return json.load(response)["choices"][0]["message"]["content"]

    def live():
        numbers = [client.value("number", index=index) for index in range(3)]
        client.call("submit", answer=int(ask(" ".join(map(str, numbers)))))

    client = Client()
"""


def adding(asked: Asked) -> Answer:
    return Say(str(sum(map(int, asked.text.split()))))


@pytest.mark.parametrize("stays", [False, True])
def test_a_client_asks_its_model_through_the_bench(
    project: Project, plain: Callable[[str], str], monkeypatch: pytest.MonkeyPatch, stays: bool
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-planted-0123456789")
    loop = "while client.value('next_task'): live()" if stays else "live()"
    with serving(adding) as fake:
        models = [{"provider": "openai", "name": "gpt-x", "base_url": f"{fake.address}/v1"}]
        lived = project.examine(
            f"{plain(f'{ASKS}    {loop}')},stays={'yes' if stays else 'no'}",
            system=System.model_validate({"name": "it", "models": models}),
            program=[{"phase": "p", "episodes": 2}],
        )
        assert fake.count == 2
    assert [one.row.outcome for one in lived] == ["success", "success"], [one.failure for one in lived]
    assert all(one.row.tokens for one in lived)
