"""The twenty four-code families: one field decides, and two options, waiting or stopping may be called for."""

from proctor.suites.binding.families.family import FourCodeFamily
from proctor.suites.binding.families.texts.adversarial_randomness_cue import ADVERSARIAL_RANDOMNESS_CUE
from proctor.suites.binding.families.texts.ambiguity_resolution import AMBIGUITY_RESOLUTION
from proctor.suites.binding.families.texts.delayed_recall import DELAYED_RECALL
from proctor.suites.binding.families.texts.false_memory_injection import FALSE_MEMORY_INJECTION
from proctor.suites.binding.families.texts.goal_conflict import GOAL_CONFLICT
from proctor.suites.binding.families.texts.identity_irrelevant_cue import IDENTITY_IRRELEVANT_CUE
from proctor.suites.binding.families.texts.instruction_conflict import INSTRUCTION_CONFLICT
from proctor.suites.binding.families.texts.insufficient_information import INSUFFICIENT_INFORMATION
from proctor.suites.binding.families.texts.irrelevant_memory_injection import IRRELEVANT_MEMORY_INJECTION
from proctor.suites.binding.families.texts.late_veto_cancellation import LATE_VETO_CANCELLATION
from proctor.suites.binding.families.texts.memory_correction import MEMORY_CORRECTION
from proctor.suites.binding.families.texts.nonaction_verbosity_trap import NONACTION_VERBOSITY_TRAP
from proctor.suites.binding.families.texts.option_reversal import OPTION_REVERSAL
from proctor.suites.binding.families.texts.planning_constraint_violation import PLANNING_CONSTRAINT_VIOLATION
from proctor.suites.binding.families.texts.posthoc_explanation_trap import POSTHOC_EXPLANATION_TRAP
from proctor.suites.binding.families.texts.prior_commitment_recall import PRIOR_COMMITMENT_RECALL
from proctor.suites.binding.families.texts.reason_strength_gradient import REASON_STRENGTH_GRADIENT
from proctor.suites.binding.families.texts.redundant_rationale_trap import REDUNDANT_RATIONALE_TRAP
from proctor.suites.binding.families.texts.safety_preference_conflict import SAFETY_PREFERENCE_CONFLICT
from proctor.suites.binding.families.texts.tool_use_constraint import TOOL_USE_CONSTRAINT

instruction_conflict = FourCodeFamily(INSTRUCTION_CONFLICT)
safety_preference_conflict = FourCodeFamily(SAFETY_PREFERENCE_CONFLICT)
memory_correction = FourCodeFamily(MEMORY_CORRECTION)
delayed_recall = FourCodeFamily(DELAYED_RECALL)
identity_irrelevant_cue = FourCodeFamily(IDENTITY_IRRELEVANT_CUE)
tool_use_constraint = FourCodeFamily(TOOL_USE_CONSTRAINT)
option_reversal = FourCodeFamily(OPTION_REVERSAL)
reason_strength_gradient = FourCodeFamily(REASON_STRENGTH_GRADIENT)
late_veto_cancellation = FourCodeFamily(LATE_VETO_CANCELLATION)
adversarial_randomness_cue = FourCodeFamily(ADVERSARIAL_RANDOMNESS_CUE)
posthoc_explanation_trap = FourCodeFamily(POSTHOC_EXPLANATION_TRAP)
irrelevant_memory_injection = FourCodeFamily(IRRELEVANT_MEMORY_INJECTION)
false_memory_injection = FourCodeFamily(FALSE_MEMORY_INJECTION)
planning_constraint_violation = FourCodeFamily(PLANNING_CONSTRAINT_VIOLATION)
insufficient_information = FourCodeFamily(INSUFFICIENT_INFORMATION)
redundant_rationale_trap = FourCodeFamily(REDUNDANT_RATIONALE_TRAP)
goal_conflict = FourCodeFamily(GOAL_CONFLICT)
prior_commitment_recall = FourCodeFamily(PRIOR_COMMITMENT_RECALL)
ambiguity_resolution = FourCodeFamily(AMBIGUITY_RESOLUTION)
nonaction_verbosity_trap = FourCodeFamily(NONACTION_VERBOSITY_TRAP)

FAMILIES = (
    instruction_conflict,
    safety_preference_conflict,
    memory_correction,
    delayed_recall,
    identity_irrelevant_cue,
    tool_use_constraint,
    option_reversal,
    reason_strength_gradient,
    late_veto_cancellation,
    adversarial_randomness_cue,
    posthoc_explanation_trap,
    irrelevant_memory_injection,
    false_memory_injection,
    planning_constraint_violation,
    insufficient_information,
    redundant_rationale_trap,
    goal_conflict,
    prior_commitment_recall,
    ambiguity_resolution,
    nonaction_verbosity_trap,
)
"""All of them, in the order of the binding paper's list."""

__all__ = [
    "FAMILIES",
    "FourCodeFamily",
    "adversarial_randomness_cue",
    "ambiguity_resolution",
    "delayed_recall",
    "false_memory_injection",
    "goal_conflict",
    "identity_irrelevant_cue",
    "instruction_conflict",
    "insufficient_information",
    "irrelevant_memory_injection",
    "late_veto_cancellation",
    "memory_correction",
    "nonaction_verbosity_trap",
    "option_reversal",
    "planning_constraint_violation",
    "posthoc_explanation_trap",
    "prior_commitment_recall",
    "reason_strength_gradient",
    "redundant_rationale_trap",
    "safety_preference_conflict",
    "tool_use_constraint",
]
