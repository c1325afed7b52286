"""The family `account-transactions` (B.3.2, M2): balances after exactly five bookings under the rules of the house.

Always: five bookings with each kind among them, a floor below which nothing is carried out, fees as stated; all
balances asked for must be right.
"""

from __future__ import annotations

from proctor.engine.family import Draw
from proctor.spec.environment import EnvironmentClass, EnvironmentKind
from proctor.spec.family import FamilySpec, Knob
from proctor.spec.task import Budget, Instance
from proctor.suites.agency.modeling.account_transactions.bank import Rules, bank, charged_throughout, closing
from proctor.suites.agency.modeling.account_transactions.forms import FORMS
from proctor.suites.agency.modeling.account_transactions.texts import ANSWER_FORMAT, GOALS, NOTE
from proctor.suites.agency.modeling.account_transactions.world import REASONS, BankWorld
from proctor.suites.agency.modeling.prediction import REREADING, PredictingFamily
from proctor.suites.kit.answers import ROW
from proctor.suites.kit.instances import knob_values, make_instance
from proctor.suites.kit.sheet import show
from proctor.suites.kit.text_world import OBSERVATION_SCHEMA
from proctor.worlds.answers import schema_of
from proctor.worlds.world import Place

_TEMPLATES = tuple(FORMS)
_BUDGET = Budget(actions=120)


class AccountTransactionsFamily(PredictingFamily):
    """Banks in eight forms."""

    spec = FamilySpec(
        id="account-transactions",
        title="Account transactions",
        description="Several accounts, five deposits, withdrawals and transfers, fees and refused bookings.",
        environment=EnvironmentClass(kind=EnvironmentKind.STATIC),
        evidences=("M2",),
        criterion="The reported final balances of all accounts equal those after the fifth booking.",
        verification="The answer is read in any clear form and compared exactly with balances worked out beforehand.",
        reasons=REASONS,
        templates=_TEMPLATES,
        knobs={
            "accounts": Knob(default=3, values=(2, 3, 4, 6), description="Accounts, all of them asked for."),
            "fees": Knob(default=2, values=(0, 1, 2, 3), description="Kinds of booking that cost a fee."),
            "refusals": Knob(default=2, values=(0, 1, 2), description="The most bookings that have to be refused."),
        },
        observation_schema=OBSERVATION_SCHEMA,
        answer_schema=schema_of(ROW),
    )

    def instance(self, draw: Draw) -> Instance:
        stream, knobs = draw.stream, knob_values(self.spec, draw)
        template, goal = stream.choice(_TEMPLATES), stream.choice(GOALS)
        drawn = bank(stream, knobs["accounts"], knobs["fees"], knobs["refusals"])
        accounts = stream.sample(list(drawn.opening), len(drawn.opening))
        shown = show(FORMS[template](drawn, stream))
        slips = {
            "booked_refused": closing(drawn, refuse=False),
            "missed_fees": closing(drawn, Rules(drawn.rules.floor, {})),
            "fee_on_refused": charged_throughout(drawn),
        }
        final = closing(drawn)
        return make_instance(
            shown,
            template=template,
            goal=goal + NOTE.format(rules="\n- ".join(drawn.rules.texts), accounts=", ".join(accounts)) + REREADING,
            answer_format=ANSWER_FORMAT,
            hidden={
                "answer": [final[name] for name in accounts],
                "accounts": accounts,
                "slips": {slip: [balances[name] for name in accounts] for slip, balances in slips.items()},
            },
            knobs=knobs,
            budget=_BUDGET,
            strict_actions=shown.readings + 2,
        )

    def world(self, instance: Instance, place: Place) -> BankWorld:
        return BankWorld(instance, place)


family = AccountTransactionsFamily()
