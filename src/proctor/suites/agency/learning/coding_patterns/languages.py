"""Eight ways of writing a function down: six languages, numbered steps and a telephone call.

A language is a table: how expressions, statements and whole functions look. Blocks are indented by two spaces where
nothing else marks them.
"""

from __future__ import annotations

from msgspec import Struct

from proctor.suites.agency.learning.coding_patterns.code import Function, Notation, Statement


class Language(Struct, frozen=True):
    """Forms by kind of statement; a block has what opens it and what closes it (nothing closes it where empty)."""

    notation: Notation
    header: str
    footer: str
    forms: dict[str, tuple[str, str]]
    comma: str = ", "
    margin: str = ""
    """Stands before every line."""
    numbered: bool = False


def written(function: Function, language: Language) -> list[str]:
    """The lines of a function."""
    names = function.names
    header = language.header.format(name=names.function, parameters=language.comma.join(names.parameters))
    lines = [header, *_block(function.body, language, 1)]
    if language.footer:
        lines.append(language.footer.format(name=names.function))
    if language.numbered:
        lines = [lines[0], *(f"{n}. {line.strip()}" for n, line in enumerate(lines[1:], start=1))]
    return [language.margin + line for line in lines]


def _block(body: tuple[Statement, ...], language: Language, depth: int) -> list[str]:
    lines: list[str] = []
    for kind, texts, inner in body:
        opening, closing = language.forms[kind]
        lines.append("  " * depth + opening.format(**texts))
        if inner:
            lines.extend(_block(inner, language, depth + 1))
            if closing:
                lines.append("  " * depth + closing.format(**texts))
    return lines


_DOTTED = "{x}.{f}"
_SIGNS = "{a} {op} {b}"

PYTHON = Language(
    Notation(
        _DOTTED, _SIGNS, "{a} * {b}", "{a} and {b}", "not {c}", "{c} is None", "[]", "{}", "None", "True", "False"
    ),
    header="def {name}({parameters}):",
    footer="",
    forms={
        "let": ("{name} = {value}", ""),
        "set": ("{name} = {value}", ""),
        "for": ("for {item} in {collection}:", ""),
        "if": ("if {condition}:", ""),
        "add": ("{name} += {value}", ""),
        "push": ("{name}.append({value})", ""),
        "put": ("{name}.setdefault({key}, []).append({value})", ""),
        "return": ("return {value}", ""),
        "fail": ('raise ValueError("{text}")', ""),
    },
)
JAVASCRIPT = Language(
    Notation(
        _DOTTED,
        _SIGNS,
        "{a} * {b}",
        "{a} && {b}",
        "{c}.length === 0",
        "{c} === null",
        "[]",
        "{}",
        "null",
        "true",
        "false",
    ),
    header="function {name}({parameters}) {{",
    footer="}}",
    forms={
        "let": ("let {name} = {value};", ""),
        "set": ("{name} = {value};", ""),
        "for": ("for (const {item} of {collection}) {{", "}}"),
        "if": ("if ({condition}) {{", "}}"),
        "add": ("{name} += {value};", ""),
        "push": ("{name}.push({value});", ""),
        "put": ("({name}[{key}] ??= []).push({value});", ""),
        "return": ("return {value};", ""),
        "fail": ("throw new Error('{text}');", ""),
    },
)
PASCAL = Language(
    Notation(
        _DOTTED,
        _SIGNS,
        "{a} * {b}",
        "({a}) and ({b})",
        "{c}.Count = 0",
        "{c} = nil",
        "NewList",
        "NewMap",
        "nil",
        "True",
        "False",
    ),
    header="function {name}({parameters}: Variant): Variant;",
    footer="end; {{ {name} }}",
    comma="; ",
    forms={
        "let": ("{name} := {value};", ""),
        "set": ("{name} := {value};", ""),
        "for": ("for {item} in {collection} do begin", "end;"),
        "if": ("if {condition} then begin", "end;"),
        "add": ("Inc({name}, {value});", ""),
        "push": ("{name}.Add({value});", ""),
        "put": ("{name}.ListAt({key}).Add({value});", ""),
        "return": ("Exit({value});", ""),
        "fail": ("raise Exception.Create('{text}');", ""),
    },
)
LISP = Language(
    Notation(
        "({f} {x})",
        "({op} {a} {b})",
        "(* {a} {b})",
        "(and {a} {b})",
        "(null {c})",
        "(unset {c})",
        "'()",
        "(table)",
        "nil",
        "t",
        "'no",
    ),
    header="(defun {name} ({parameters})",
    footer=") ; {name}",
    comma=" ",
    forms={
        "let": ("(setq {name} {value})", ""),
        "set": ("(setq {name} {value})", ""),
        "for": ("(dolist ({item} {collection})", ")"),
        "if": ("(when {condition}", ")"),
        "add": ("(incf {name} {value})", ""),
        "push": ("(push-end {value} {name})", ""),
        "put": ("(push-end {value} (at {key} {name}))", ""),
        "return": ("(return-now {value})", ""),
        "fail": ('(error "{text}")', ""),
    },
)
TREE = Language(
    Notation(
        '["get","{x}","{f}"]',
        '["{op}",{a},{b}]',
        '["mul",{a},{b}]',
        '["and",{a},{b}]',
        '["empty","{c}"]',
        '["unset","{c}"]',
        "new-list",
        "new-map",
        "null",
        "true",
        "false",
        above="gt",
        below="lt",
    ),
    header='{{"fn": "{name}", "args": ["{parameters}"], "body": [',
    footer="]}}",
    comma='", "',
    forms={
        "let": ('{{"set": "{name}", "to": {value}}}', ""),
        "set": ('{{"set": "{name}", "to": {value}}}', ""),
        "for": ('{{"each": "{item}", "in": "{collection}", "do": [', "]}}"),
        "if": ('{{"when": {condition}, "do": [', "]}}"),
        "add": ('{{"increase": "{name}", "by": {value}}}', ""),
        "push": ('{{"append": {value}, "to": "{name}"}}', ""),
        "put": ('{{"append": {value}, "to": ["entry","{name}",{key}]}}', ""),
        "return": ('{{"result": {value}}}', ""),
        "fail": ('{{"error": "{text}"}}', ""),
    },
)
COBOL = Language(
    Notation(
        "{f} OF {x}",
        "{a} {op} {b}",
        "{a} TIMES {b}",
        "{a} AND {b}",
        "{c} IS EMPTY",
        "{c} IS NOTHING",
        "AN EMPTY LIST",
        "AN EMPTY TABLE",
        "NOTHING",
        "YES",
        "NO",
        above="IS GREATER THAN",
        below="IS LESS THAN",
    ),
    header="PROCEDURE {name} USING {parameters}.",
    footer="END PROCEDURE {name}.",
    comma=" ",
    margin="       ",
    forms={
        "let": ("MOVE {value} TO {name}.", ""),
        "set": ("MOVE {value} TO {name}.", ""),
        "for": ("PERFORM FOR EACH {item} OF {collection}", "END-PERFORM."),
        "if": ("IF {condition} THEN", "END-IF."),
        "add": ("ADD {value} TO {name}.", ""),
        "push": ("STORE {value} AT END OF {name}.", ""),
        "put": ("STORE {value} IN {name} UNDER {key}.", ""),
        "return": ("GIVE BACK {value} AND EXIT.", ""),
        "fail": ("STOP WITH ERROR '{text}'.", ""),
    },
)
STEPS = Language(
    Notation(
        "the {f} of the {x}",
        "{a} {op} {b}",
        "{a} multiplied by {b}",
        "{a} and also {b}",
        "there is nothing in {c}",
        "{c} is still nothing",
        "a list without entries",
        "a table without entries",
        "nothing",
        "yes",
        "no",
        above="exceeds",
        below="stays under",
    ),
    header="How to do “{name}”, given {parameters}:",
    footer="",
    comma=" and ",
    numbered=True,
    forms={
        "let": ("Let {name} be {value}.", ""),
        "set": ("Replace {name} by the {value}.", ""),
        "for": (
            "Take every {item} in {collection} in turn; for each, go through the steps up to “next one”.",
            "Next one.",
        ),
        "if": ("Only if {condition}, do the following up to “in any case”:", "In any case, go on."),
        "add": ("Raise {name} by {value}.", ""),
        "push": ("Write {value} at the end of {name}.", ""),
        "put": ("In {name}, write {value} under the heading {key}.", ""),
        "return": ("You are done: the outcome is {value}.", ""),
        "fail": ("Give up and complain: “{text}”.", ""),
    },
)
CALL = Language(
    Notation(
        "{x} dot {f}",
        "{a} is {op} {b}",
        "{a} times {b}",
        "{a}, and at the same time {b}",
        "{c} has nothing in it",
        "{c} is null so far",
        "a fresh list",
        "a fresh dictionary",
        "null",
        "true",
        "false",
        above="more than",
        below="less than",
    ),
    header="— So it's called {name} and takes {parameters}. — Go on.",
    footer="— That was all of {name}.",
    comma=", then ",
    margin="",
    forms={
        "let": ("— {name} starts as {value}.", ""),
        "set": ("— {name} becomes {value}.", ""),
        "for": ("— Now a loop, {item} runs over {collection}. — Inside the loop?", "— Loop over."),
        "if": ("— There's an if: {condition}. — And then?", "— End of the if."),
        "add": ("— {name} plus equals {value}.", ""),
        "push": ("— Push {value} onto {name}.", ""),
        "put": ("— Into {name}, under {key}, goes {value} as well.", ""),
        "return": ("— Return {value}.", ""),
        "fail": ("— It throws, message “{text}”.", ""),
    },
)
LANGUAGES: dict[str, Language] = {
    "python": PYTHON,
    "javascript": JAVASCRIPT,
    "pascal": PASCAL,
    "lisp": LISP,
    "tree": TREE,
    "cobol": COBOL,
    "steps": STEPS,
    "call": CALL,
}
