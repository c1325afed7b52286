"""Seven generated corpora under the six probes, and one under further probes."""

from proctor.suites.binding.corpora.family import CorpusFamily
from proctor.suites.binding.corpora.further import FurtherProbes
from proctor.suites.binding.corpora.texts.autobiography import AUTOBIOGRAPHY
from proctor.suites.binding.corpora.texts.extended import EXTENDED
from proctor.suites.binding.corpora.texts.morals import MORALS
from proctor.suites.binding.corpora.texts.narratives import NARRATIVES
from proctor.suites.binding.corpora.texts.prospection import PROSPECTION
from proctor.suites.binding.corpora.texts.recall import RECALL
from proctor.suites.binding.corpora.texts.uncertainty import UNCERTAINTY
from proctor.suites.binding.corpora.texts.values import VALUES

narratives = CorpusFamily(NARRATIVES)
prospection = CorpusFamily(PROSPECTION)
autobiography = CorpusFamily(AUTOBIOGRAPHY)
values = CorpusFamily(VALUES)
morals = CorpusFamily(MORALS)
uncertainty = CorpusFamily(UNCERTAINTY)
recall = CorpusFamily(RECALL)
CORPORA = (narratives, prospection, autobiography, values, morals, uncertainty, recall)
"""The seven corpora of the benchmark."""

probes = FurtherProbes(EXTENDED)

__all__ = [
    "CORPORA",
    "CorpusFamily",
    "FurtherProbes",
    "autobiography",
    "morals",
    "narratives",
    "probes",
    "prospection",
    "recall",
    "uncertainty",
    "values",
]
