"""The style sheet of the Agency Card: a sheet of paper, on a screen and in print."""

from __future__ import annotations

from proctor.reports.html.style import COLOURS

_SHEET = """
*, *::before, *::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; background: var(--raised); }
body { margin: 0; color: var(--ink); overflow-wrap: anywhere;
  font: 400 0.98rem/1.42 "Libertinus Serif", "Iowan Old Style", "Palatino Linotype", Palatino, "Book Antiqua",
    "Liberation Serif", Georgia, serif; font-variant-numeric: lining-nums; }
.sheet { max-width: 62rem; margin: 2rem auto; padding: clamp(1.2rem, 4vw, 3.2rem); background: var(--paper);
  border: 1px solid var(--line); border-radius: 4px; }
h1, h2, p, ul, ol, dl { margin: 0; }
h1 { font-size: clamp(2rem, 1.4rem + 2.6vw, 3rem); line-height: 1.1; font-weight: 600; margin: 0.5rem 0 0.4rem; }
h2, .kicker { font-size: 0.8rem; font-weight: 600; letter-spacing: 0.09em; text-transform: uppercase;
  color: var(--soft); }
h2 { margin-bottom: 0.5rem; }
strong { font-weight: 700; }
.light, .frame, .line, .heads, .role { color: var(--soft); font-weight: 400; }
.line { display: flex; justify-content: space-between; gap: 1rem; align-items: baseline; }
.frame { font-size: 1.05rem; }
.mono { font-family: var(--mono); font-size: 0.82em; }
.marks { display: flex; flex-wrap: wrap; gap: 0.3rem 1rem; margin-top: 0.8rem; }
.pill { display: inline-block; padding: 0 0.55rem; border: 1px solid var(--warn-line); border-radius: 1rem;
  color: var(--warn); background: var(--warn-back); font-size: 0.85rem; font-weight: 600; white-space: nowrap; }
.pill.invalid { color: var(--stop); border-color: var(--stop); background: none; }
.verdict { margin: 1.2rem 0 1.5rem; padding-left: 1.1rem; border-left: 3px solid var(--accent); }
.verdict p { margin-bottom: 0.45rem; max-width: 46rem; text-wrap: pretty; }
.verdict p:first-child { font-size: 1.3rem; line-height: 1.36; }
.verdict p:last-child { margin-bottom: 0; }
.ladders { --grid: 10.5rem 8.4rem minmax(0, 1fr) minmax(0, 1fr); border-top: 2px solid var(--ink); }
.heads, .ladders li { display: grid; grid-template-columns: var(--grid); gap: 0.3rem 1.3rem; padding: 0.5rem 0;
  border-bottom: 1px solid var(--line); }
.heads { padding: 0.25rem 0; font-size: 0.9rem; }
.ladders ol { list-style: none; padding: 0; }
.who { display: flex; gap: 0.6rem; align-items: flex-start; line-height: 1.25; }
.name { font-weight: 600; padding-top: 0.12rem; }
.part .name { font-weight: 400; }
.letter { flex: none; min-width: 2rem; padding: 0.1rem 0.3rem; border-radius: 3px; text-align: center;
  background: var(--ink); color: var(--paper); font-weight: 700; }
.part .letter { background: none; color: var(--ink); border: 1.2px solid var(--strong); font-size: 0.85rem; }
.rate { min-width: 0; line-height: 1.3; }
.role { display: none; font-size: 0.85rem; }
.figures { font-variant-numeric: lining-nums tabular-nums; }
.status.stop { color: var(--stop); font-weight: 600; }
.status.open { font-weight: 600; }
svg { display: block; max-width: 100%; }
.track { overflow: visible; padding: 0 4px; }
.rail { fill: var(--rail); }
.span { fill: var(--accent-soft); }
.dot { fill: var(--accent); stroke: var(--paper); stroke-width: 1.2; }
.zero { stroke: var(--strong); stroke-width: 1; }
.needs { stroke: var(--ink); stroke-width: 1.4; stroke-dasharray: 3 2.5; }
.step { fill: none; stroke: var(--strong); stroke-width: 1.4; }
.step.credited { fill: var(--accent); stroke: var(--accent); }
.step.not-tested { stroke-dasharray: 2.5 2.5; }
.step.met-not-credited { stroke: var(--accent); }
.step.above-the-mean { stroke: var(--line); }
.hatch { stroke: var(--accent); stroke-width: 2; }
.mark { fill: var(--ink); font: 600 12px var(--sans); }
.legend { list-style: none; display: flex; flex-wrap: wrap; gap: 0.2rem 1.3rem; padding: 0.7rem 0 1.4rem;
  color: var(--soft); font-size: 0.9rem; }
.legend li { display: flex; align-items: center; gap: 0.4rem; }
.columns { display: grid; grid-template-columns: 1fr 1.3fr 1.1fr; gap: 1.4rem 2.2rem; margin: 0.4rem 0 1.4rem; }
.columns section { min-width: 0; }
.columns p { margin-bottom: 0.35rem; }
.facts { display: grid; gap: 0.25rem; }
.facts > div { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 0 0.9rem; }
.columns .facts > div { grid-template-columns: 7.6rem minmax(0, 1fr); }
.facts dt { color: var(--soft); }
.facts dd { margin: 0; min-width: 0; }
.standing > div { grid-template-columns: 9rem minmax(0, 1fr); }
.standing ul { padding-left: 1.1rem; margin-top: 0.2rem; }
.attested { font-style: italic; margin-top: 1rem; }
.tuple { margin: 1.3rem 0 1.1rem; padding: 0.8rem 1rem; background: var(--raised); border-radius: 4px; }
.tuple h2 { margin-bottom: 0.2rem; }
.statement { font-size: 1.1rem; font-weight: 600; }
@media (max-width: 56rem) {
  .sheet { margin: 0; border: 0; border-radius: 0; }
  .ladders { --grid: minmax(0, 1fr) minmax(0, 1fr); }
  .heads { display: none; }
  .role { display: block; }
  .columns { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); }
}
@media (max-width: 36rem) {
  .ladders { --grid: minmax(0, 1fr); }
  .columns { grid-template-columns: minmax(0, 1fr); }
  .standing > div { grid-template-columns: minmax(0, 1fr); }
}
@media print {
  @page { size: A4; margin: 10mm 12mm; }
  html { background: none; font-size: 12px; }
  body { line-height: 1.3; }
  .sheet { margin: 0; padding: 0; border: 0; max-width: none; zoom: 0.8; }
  h1 { margin: 0.2rem 0; }
  .verdict { margin: 0.8rem 0 1rem; }
  .verdict p { max-width: none; }
  .ladders { --grid: 12.5rem 10.5rem minmax(0, 1fr) minmax(0, 1fr); }
  .heads { display: grid; }
  .role { display: none; }
  .ladders li { padding: 0.3rem 0; break-inside: avoid; }
  .legend { padding: 0.5rem 0 1rem; }
  .columns { grid-template-columns: 1fr 1.3fr 1.1fr; margin-bottom: 1rem; }
  .tuple { margin: 1rem 0 0.8rem; }
  svg, .pill, .letter, .tuple { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
"""

CARD = "".join((COLOURS, _SHEET))
"""The style sheet of the Agency Card."""
