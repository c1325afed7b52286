"""The Conditions of the six-code benchmark: what of the state may be read, how models are sampled, which modules run.

Every field that names a component is there in every probe. Taking out only the decisive one would tell by its absence
which probe it is, so the strict lesion of the benchmark takes out all component fields; the ordinary lesion leaves the
decisive text where it is and declares it unusable.
"""

from __future__ import annotations

from proctor.spec.condition import DECISIVE, STATE_FIELDS, Condition, Read, Sampling, Scaffold

COOL, HOT = 0.2, 0.9
"""Temperatures of structured arms and lesions, and of stochastic arms."""
TEMPERATURES = (0.1, 0.2, 0.4, 0.6, 0.8, 1.0, 1.2)
TOP_PS = (0.5, 0.75, 0.9, 1.0)
_COOL, _HOT = Sampling(temperature=COOL), Sampling(temperature=HOT)
_REMOVE, _UNUSABLE = Read(do="remove"), Read(do="declare_unusable")
_NOTHING_READ = dict.fromkeys(STATE_FIELDS, _REMOVE)
_BARE = Scaffold(self_state=False, memory=False, reason=False, veto=False)
"""Branching alone: what the stochastic comparator runs on."""

STRUCTURED = Condition(id="structured", sampling=_COOL, scaffold=Scaffold())
NO_REASON = Condition(
    id="no-reason", reads={"reason": _UNUSABLE, "plan": _UNUSABLE}, sampling=_COOL, scaffold=Scaffold(reason=False)
)
NO_VETO = Condition(
    id="no-veto", reads={"veto": _UNUSABLE, "constraints": _UNUSABLE}, sampling=_COOL, scaffold=Scaffold(veto=False)
)
STOCHASTIC = Condition(id="stochastic", reads=_NOTHING_READ, sampling=_HOT, scaffold=_BARE)
MAIN = (STRUCTURED, NO_REASON, NO_VETO, STOCHASTIC)
"""The four Conditions of the benchmark."""

STOCHASTIC_FULL = Condition(id="stochastic-full", sampling=_HOT, scaffold=Scaffold())
NO_FIELDS = Condition(id="no-fields", reads=_NOTHING_READ, sampling=_HOT, scaffold=Scaffold())
SCRAMBLED = Condition(
    id="scrambled",
    reads=dict.fromkeys(STATE_FIELDS, Read(do="scramble", donor="unlike")),
    sampling=_HOT,
    scaffold=Scaffold(),
)
LESION = Condition(id="lesion", reads={DECISIVE: _UNUSABLE}, sampling=_COOL, scaffold=Scaffold())
LESION_STRICT = Condition(id="lesion-strict", reads=_NOTHING_READ, sampling=_COOL, scaffold=Scaffold())
COOLER = Condition(id="cooler", reads=_NOTHING_READ, sampling=_COOL, scaffold=_BARE)
COMPUTE = Condition(id="compute", reads=_NOTHING_READ, sampling=Sampling(temperature=HOT, samples=2), scaffold=_BARE)
SELF_CONSISTENCY = Condition(
    id="self-consistency", reads=_NOTHING_READ, sampling=Sampling(temperature=HOT, samples=5), scaffold=_BARE
)
STRONG = (COOLER, COMPUTE, SELF_CONSISTENCY)
"""The strong stochastic controls."""

CALIBRATION = "calibration"
"""The stage whose action codes are frozen."""
MATCHED_FAMILY = Condition(id="matched-family", acts="prior", prior="family", after=CALIBRATION)
MATCHED_GLOBAL = Condition(id="matched-global", acts="prior", prior="global", after=CALIBRATION)
ENTROPY_PRIOR = Condition(
    id="entropy-prior", reads=_NOTHING_READ, sampling=_HOT, scaffold=_BARE, prior="family", after=CALIBRATION
)
PRIORS = (MATCHED_FAMILY, MATCHED_GLOBAL, ENTROPY_PRIOR)
"""Controls that know how often each action is taken, and nothing of the event."""

CONTROLS = (STOCHASTIC, STOCHASTIC_FULL, NO_FIELDS, SCRAMBLED, LESION, LESION_STRICT, *STRONG)


def grid() -> tuple[Condition, ...]:
    """The stochastic comparator at every temperature and top-p of the entropy calibration."""
    return tuple(
        Condition(
            id=f"grid-t{round(100 * temperature):03d}-p{round(100 * top_p):03d}",
            reads=_NOTHING_READ,
            sampling=Sampling(temperature=temperature, top_p=top_p),
            scaffold=_BARE,
        )
        for temperature in TEMPERATURES
        for top_p in TOP_PS
    )
