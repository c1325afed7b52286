"""Draws the README's picture: the real output of a real run, as SVG without anything fetched from elsewhere."""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from pathlib import Path

from rich.console import Console
from rich.text import Text

COMMAND = ["run", "hello", "--agent", "clerk", "--seed", "7"]
TARGET = Path(__file__).parent / "images" / "run.svg"


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [sys.executable, "-m", "proctor.cli.main", *COMMAND], cwd=folder, capture_output=True, text=True, check=True
        )
    console = Console(record=True, width=112, file=open("/dev/null", "w", encoding="utf-8"))  # noqa: SIM115
    console.print(Text("$ proctor " + " ".join(COMMAND), style="bold"))
    for line in done.stdout.splitlines():
        console.print(painted(line))
    svg = console.export_svg(title="proctor")
    # The exported font rules point to a content delivery network; a system font does as well.
    svg = re.sub(r"@font-face \{.*?\}", "", svg, flags=re.DOTALL)
    TARGET.write_text(svg.replace("Fira Code", "ui-monospace, Menlo, Consolas, DejaVu Sans Mono"), encoding="utf-8")


def painted(line: str) -> Text:
    text = Text(line)
    text.highlight_regex(r"█+", "green")
    text.highlight_regex(r"·{3,}", "bright_black")
    text.highlight_regex(r"^(Failures|Success rates)", "bold")
    text.highlight_regex(r"\b(failure|limit)\b", "red")
    return text


if __name__ == "__main__":
    main()
