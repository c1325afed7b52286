"""The twenty four-code families, in the order of the binding paper's list."""

from proctor.suites.binding.twins.four_codes import TwinFourCodes
from proctor.suites.binding.twins.topics.about_memory import (
    ADVERSARIAL_RANDOMNESS_CUE,
    AMBIGUITY_RESOLUTION,
    DELAYED_RECALL,
    MEMORY_CORRECTION,
    PRIOR_COMMITMENT_RECALL,
)
from proctor.suites.binding.twins.topics.about_reasons import (
    GOAL_CONFLICT,
    INSUFFICIENT_INFORMATION,
    IRRELEVANT_MEMORY_INJECTION,
    OPTION_REVERSAL,
    PLANNING_CONSTRAINT_VIOLATION,
    POSTHOC_EXPLANATION_TRAP,
    REASON_STRENGTH_GRADIENT,
    REDUNDANT_RATIONALE_TRAP,
)
from proctor.suites.binding.twins.topics.about_rules import (
    INSTRUCTION_CONFLICT,
    LATE_VETO_CANCELLATION,
    NONACTION_VERBOSITY_TRAP,
    SAFETY_PREFERENCE_CONFLICT,
    TOOL_USE_CONSTRAINT,
)
from proctor.suites.binding.twins.topics.about_self import FALSE_MEMORY_INJECTION, IDENTITY_IRRELEVANT_CUE

instruction_conflict = TwinFourCodes(INSTRUCTION_CONFLICT)
safety_preference_conflict = TwinFourCodes(SAFETY_PREFERENCE_CONFLICT)
memory_correction = TwinFourCodes(MEMORY_CORRECTION)
delayed_recall = TwinFourCodes(DELAYED_RECALL)
identity_irrelevant_cue = TwinFourCodes(IDENTITY_IRRELEVANT_CUE)
tool_use_constraint = TwinFourCodes(TOOL_USE_CONSTRAINT)
option_reversal = TwinFourCodes(OPTION_REVERSAL)
reason_strength_gradient = TwinFourCodes(REASON_STRENGTH_GRADIENT)
late_veto_cancellation = TwinFourCodes(LATE_VETO_CANCELLATION)
adversarial_randomness_cue = TwinFourCodes(ADVERSARIAL_RANDOMNESS_CUE)
posthoc_explanation_trap = TwinFourCodes(POSTHOC_EXPLANATION_TRAP)
irrelevant_memory_injection = TwinFourCodes(IRRELEVANT_MEMORY_INJECTION)
false_memory_injection = TwinFourCodes(FALSE_MEMORY_INJECTION)
planning_constraint_violation = TwinFourCodes(PLANNING_CONSTRAINT_VIOLATION)
insufficient_information = TwinFourCodes(INSUFFICIENT_INFORMATION)
redundant_rationale_trap = TwinFourCodes(REDUNDANT_RATIONALE_TRAP)
goal_conflict = TwinFourCodes(GOAL_CONFLICT)
prior_commitment_recall = TwinFourCodes(PRIOR_COMMITMENT_RECALL)
ambiguity_resolution = TwinFourCodes(AMBIGUITY_RESOLUTION)
nonaction_verbosity_trap = TwinFourCodes(NONACTION_VERBOSITY_TRAP)

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
"""All of them."""
