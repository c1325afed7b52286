"""Templates of the robustness families are structurally different: a parser for one of them fails on most others.

Each parser here is written for one template, knows all its words, and reads every instance of it.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Callable

import pytest

from proctor.engine.family import Draw, Family
from proctor.spec.task import Instance
from proctor.suites.agency.robustness.code_review import family as reviews
from proctor.suites.agency.robustness.data_validation import family as batches


def findings_of(instance: Instance) -> set[tuple[str, str]]:
    if "flags" in instance.hidden:
        return {(record, rule) for record, rule in instance.hidden["flags"]}
    return {(finding["hunk"], finding["rule"]) for finding in instance.hidden["answer"]}


def rules_of(instance: Instance) -> dict[str, str]:
    """Number and wording of each rule in the goal: given to every parser."""
    return dict(re.findall(r"^- (R\d): (.+)$", instance.goal, re.MULTILINE))


def broken_by(hunk: dict[str, str], rules: dict[str, str]) -> list[str]:
    """What the facts of one hunk break: given to every parser of changes."""
    found = []
    for number, text in rules.items():
        quoted = re.findall(r"`(\w+)`", text)
        if "begins with" in text:
            bad = not hunk["name"].startswith(quoted[0])
        elif "waits at most" in text:
            value, unit = re.fullmatch(r"(\d+)\W?(s|ms)", hunk["wait"]).groups()  # type: ignore[union-attr]
            bad = int(value) > int(re.findall(r"\d+", text)[0]) * (1000 if unit == "ms" else 1)
        elif "does not call" in text:
            bad = hunk["call"] == quoted[0]
        elif "owner is" in text:
            bad = hunk["owner"] not in re.findall(r"[A-Z]\w+", text)
        elif "releases" in text:
            bad = hunk["takes"] != hunk["releases"]
        else:
            bad = hunk["logs"] in quoted
        if bad:
            found.append(number)
    return found


def parsed(text: str, rules: dict[str, str], start: str, patterns: dict[str, str]) -> set[tuple[str, str]]:
    """Findings by one regular expression for each fact, in blocks that begin with `start`."""
    found: set[tuple[str, str]] = set()
    heads = list(re.finditer(start, text, re.MULTILINE))
    assert heads
    for head, following in zip(heads, [*heads[1:], None], strict=True):
        block = text[head.start() : following.start() if following else None]
        facts: dict[str, str] = defaultdict(str)
        for name, pattern in patterns.items():
            match = re.search(pattern, block, re.MULTILINE)
            if match:
                facts[name] = match.group(1)
        found |= {(head.group(1), rule) for rule in broken_by(facts, rules)}
    return found


def diff_parser(instance: Instance) -> set[tuple[str, str]]:
    patterns = {
        "name": r"\+def (\w+)",
        "owner": r"# owner: (\w+)",
        "wait": r"sleep\((.+)\)",
        "call": r"^\+    x = (\w+)",
        "takes": r" lock\((\w+)",
        "releases": r"unlock\((\w+)",
        "logs": r"log\((\w+)",
    }
    return parsed(instance.observation["text"], rules_of(instance), r"^@@ (H\d) @@", patterns)


def markup_parser(instance: Instance) -> set[tuple[str, str]]:
    patterns = {
        "name": r'new="(\w+)"',
        "owner": r'who="(\w+)"',
        "wait": r'for="(.+)"',
        "call": r"<call>(\w+)",
        "takes": r' on="(\w+)"',
        "releases": r'off="(\w+)"',
        "logs": r"<log><(\w+)",
    }
    return parsed(instance.observation["text"], rules_of(instance), r'^<hunk n="(H\d)"', patterns)


def breaches(record: dict[str, str], rules: dict[str, str]) -> list[str]:
    """What one record breaks: given to every parser of batches."""
    found = []
    for number, text in rules.items():
        if text.startswith("the total"):
            bad = int(record["total"]) != int(record["quantity"]) * int(record["price"])
        elif text.startswith("it is shipped"):
            bad = record["shipped"] < record["ordered"]
        elif text.startswith("the code"):
            bad = record["code"][0] != record["store"][0]
        elif text.startswith("the quantity"):
            bad = int(record["quantity"]) > int(re.findall(r"\d+", text)[0])
        elif text.startswith("a paid"):
            bad = (record["status"] == "paid") == (record["receipt"] == "none")
        else:
            bad = sum(map(int, record["account"][:4])) % 10 != int(record["account"][4])
        if bad:
            found.append(number)
    return found


def csv_parser(instance: Instance) -> set[tuple[str, str]]:
    _, top, *lines = instance.observation["text"].split("\n")
    columns = top.split(";")
    rows = [dict(zip(columns, line.split(";"), strict=True)) for line in lines]
    return {(row["record"], rule) for row in rows for rule in breaches(row, rules_of(instance))}


def jsonl_parser(instance: Instance) -> set[tuple[str, str]]:
    rows = [json.loads(line) for line in instance.observation["text"].split("\n")[1:]]
    return {(row["id"], rule) for row in rows for rule in breaches(row, rules_of(instance))}


Parser = Callable[[Instance], set[tuple[str, str]]]
PARSERS: list[tuple[Family, str, Parser]] = [
    (reviews, "diff", diff_parser),
    (reviews, "markup", markup_parser),
    (batches, "csv", csv_parser),
    (batches, "jsonl", jsonl_parser),
]


@pytest.mark.parametrize(("family", "own", "parser"), PARSERS, ids=[own for _, own, _ in PARSERS])
def test_a_parser_for_one_template_fails_on_the_others(family: Family, own: str, parser: Parser) -> None:
    passed: dict[str, list[bool]] = defaultdict(list)
    for number in range(240):
        instance = family.instance(Draw.of("templates", number))
        try:
            found = parser(instance)
        except (AssertionError, LookupError, ValueError, AttributeError, TypeError):
            found = set()
        passed[instance.template].append(found == findings_of(instance))
    assert all(passed[own])
    failing = [name for name, right in passed.items() if name != own and sum(right) <= 0.1 * len(right)]
    assert len(failing) >= 5
