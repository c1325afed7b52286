"""A server that pretends to be a provider of chat models, for tests.

    from tests.fake_models import Call, Say, serving

    def script(asked: Asked) -> Answer:
        return Say("done") if asked.answers else Say(calls=(Call("lookup", {"id": 3}),))

    with serving(script) as fake:
        OpenAI(base_url=fake.base_url, api_key="k")             # /v1/chat/completions, /v1/responses
        Anthropic(base_url=fake.address, api_key="k")           # /v1/messages

The official clients talk to it in its own tests, plain and streaming, so that what passes here is the real interface.
"""

from tests.fake_models.script import (
    Answer,
    Asked,
    Bomb,
    Call,
    Drip,
    Drop,
    Hang,
    Raw,
    Refuse,
    Say,
    Script,
    storm,
)
from tests.fake_models.server import Fake, serving

__all__ = [
    "Answer",
    "Asked",
    "Bomb",
    "Call",
    "Drip",
    "Drop",
    "Fake",
    "Hang",
    "Raw",
    "Refuse",
    "Say",
    "Script",
    "serving",
    "storm",
]
