"""Seven corpora with twins, and one of them all under further probes."""

from proctor.suites.binding.twins.corpora.autobiography import AUTOBIOGRAPHY
from proctor.suites.binding.twins.corpora.morals import MORALS
from proctor.suites.binding.twins.corpora.narratives import NARRATIVES
from proctor.suites.binding.twins.corpora.prospection import PROSPECTION
from proctor.suites.binding.twins.corpora.recall import RECALL
from proctor.suites.binding.twins.corpora.uncertainty import UNCERTAINTY
from proctor.suites.binding.twins.corpora.values import VALUES
from proctor.suites.binding.twins.family import FurtherCorpus, TwinCorpus
from proctor.suites.binding.twins.scene import Corpus

narratives = TwinCorpus(NARRATIVES)
prospection = TwinCorpus(PROSPECTION)
autobiography = TwinCorpus(AUTOBIOGRAPHY)
values = TwinCorpus(VALUES)
morals = TwinCorpus(MORALS)
uncertainty = TwinCorpus(UNCERTAINTY)
recall = TwinCorpus(RECALL)
CORPORA = (narratives, prospection, autobiography, values, morals, uncertainty, recall)
"""The seven corpora of the benchmark."""

EVERY_SCENE = tuple(scene for family in CORPORA for scene in family.corpus.scenes)
probes = FurtherCorpus(
    Corpus(
        name="probes",
        title="Further probes, with twins",
        pressure="strength, distance and things of no bearing",
        planned=120,
        distinct=120,
        scenes=EVERY_SCENE,
    )
)

__all__ = [
    "CORPORA",
    "EVERY_SCENE",
    "FurtherCorpus",
    "TwinCorpus",
    "autobiography",
    "morals",
    "narratives",
    "probes",
    "prospection",
    "recall",
    "uncertainty",
    "values",
]
