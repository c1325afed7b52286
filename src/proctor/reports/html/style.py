"""The style sheet of the page: system fonts, two colour schemes, any width from 360 pixels up, and paper."""

from __future__ import annotations

COLOURS = """
:root {
  color-scheme: light dark;
  --paper: #ffffff; --raised: #f6f7f9; --ink: #171a21; --soft: #525a68; --line: #d9dde4; --strong: #7b8494;
  --accent: #1d4ed8; --accent-soft: #b9cdfb; --rail: #e6e9ee;
  --good: #0b6b4b; --stop: #a61b2b; --warn: #7a4b00; --warn-back: #fff4d6; --warn-line: #d9a520;
  --sans: system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", sans-serif;
  --mono: ui-monospace, "SF Mono", "Cascadia Mono", "JetBrains Mono", Menlo, Consolas, "Liberation Mono", monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #101216; --raised: #181b21; --ink: #e9ebef; --soft: #a9b1be; --line: #2d323b; --strong: #6f7987;
    --accent: #8fb2ff; --accent-soft: #2f4a8a; --rail: #262b33;
    --good: #62d3a4; --stop: #ff9a9a; --warn: #f5c96b; --warn-back: #2b2310; --warn-line: #8a6a1c;
  }
}
@media print {
  :root {
    --paper: #ffffff; --raised: #ffffff; --ink: #000000; --soft: #444444; --line: #bbbbbb; --strong: #777777;
    --accent: #1d4ed8; --accent-soft: #b9cdfb; --rail: #e6e9ee;
    --good: #0b6b4b; --stop: #a61b2b; --warn: #7a4b00; --warn-back: #fff4d6; --warn-line: #d9a520;
  }
}
"""

TEXT = """
*, *::before, *::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; scroll-behavior: smooth; }
@media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto; } }
body { margin: 0 auto; padding: 0 1.25rem 4rem; max-width: 72rem; background: var(--paper); color: var(--ink);
  font: 400 1rem/1.55 var(--sans); overflow-wrap: anywhere; }
h1, h2, h3, h4 { line-height: 1.2; text-wrap: balance; margin: 0; }
h1 { font-size: clamp(1.7rem, 1.2rem + 2.2vw, 2.6rem); letter-spacing: -0.02em; font-weight: 680;
  margin-bottom: 0.6rem; }
h2 { font-size: 1.45rem; letter-spacing: -0.012em; font-weight: 660; margin: 3.5rem 0 1rem; }
main > section:first-child > h2 { margin-top: 2rem; }
h3 { font-size: 1.15rem; font-weight: 650; margin: 2rem 0 0.6rem; }
h4 { font-size: 1rem; font-weight: 650; margin: 0 0 0.5rem; }
p { margin: 0 0 0.75rem; max-width: 75ch; }
ul { margin: 0 0 0.75rem; padding-left: 1.2rem; }
a { color: var(--accent); text-underline-offset: 0.15em; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 2px; }
code, pre, .tuple { font-family: var(--mono); font-size: 0.85em; }
code { overflow-wrap: anywhere; }
pre { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; line-height: 1.5; }
strong { font-weight: 650; }
.light, .kicker, .small, .legend, .note, .under, .why { color: var(--soft); }
.light { font-weight: 400; }
.small, .legend, .note, .why { font-size: 0.9rem; }
.legend, .note { max-width: 95ch; margin-bottom: 0.4rem; }
.under { display: block; font-size: 0.85em; font-weight: 400; }
.skip { position: absolute; left: -100vw; }
.skip:focus { left: 1rem; top: 1rem; background: var(--paper); padding: 0.5rem 1rem; z-index: 1; }
footer { margin-top: 4rem; padding-top: 1rem; border-top: 1px solid var(--line); color: var(--soft);
  font-size: 0.9rem; }
"""

TOP = """
.top { padding-top: clamp(1.5rem, 4vw, 3.5rem); }
.kicker { margin: 0 0 0.4rem; font-size: 0.85rem; letter-spacing: 0.08em; text-transform: uppercase; font-weight: 600; }
.tuple { margin: 0.9rem 0; max-width: none; color: var(--soft); border-left: 3px solid var(--accent);
  padding: 0.1rem 0 0.1rem 0.8rem; }
.top .tuple { color: var(--ink); font-size: 0.95em; }
.top .small { max-width: none; }
.banner { max-width: none; margin: 0.9rem 0; padding: 0.7rem 1rem; font-size: 1.05rem; color: var(--warn);
  background: var(--warn-back); border: 1px solid var(--warn-line); border-left-width: 6px; border-radius: 6px; }
.banner strong { text-transform: uppercase; letter-spacing: 0.05em; font-size: 0.85em; margin-right: 0.35rem; }
.all-flags { margin: 1.2rem 0; }
.all-flags h2 { font-size: 1rem; margin: 0 0 0.4rem; }
.all-flags p { margin: 0; color: var(--soft); }
.flags { list-style: none; padding: 0; margin: 0 0 0.75rem; }
.flags li { margin: 0 0 0.35rem; }
.flags .about { font-weight: 650; }
.statement { font-weight: 650; margin: 1.2rem 0; }
.pill { display: inline-block; padding: 0.02rem 0.5rem; font-size: 0.8rem; font-weight: 600; line-height: 1.5;
  border: 1px solid var(--warn-line); border-radius: 1rem; color: var(--warn); background: var(--warn-back); }
.pill.invalid { color: var(--stop); border-color: var(--stop); background: none; }
nav { margin: 1.2rem 0 0; border-block: 1px solid var(--line); }
nav ul { list-style: none; display: flex; flex-wrap: wrap; gap: 0.2rem 1.4rem; margin: 0; padding: 0.6rem 0; }
nav a { display: inline-block; padding: 0.2rem 0; }
.facts { margin: 0 0 1rem; display: grid; gap: 0.5rem; }
.facts > div { display: grid; grid-template-columns: 11rem minmax(0, 1fr); gap: 0 1rem; }
.facts dt { color: var(--soft); font-size: 0.9rem; }
.facts dd { margin: 0; }
.facts.brief { grid-template-columns: repeat(auto-fill, minmax(min(100%, 20rem), 1fr)); gap: 0.7rem 2rem;
  font-size: 0.92rem; }
.facts.brief > div { display: block; }
.facts.brief dt { font-size: 0.82rem; }
.facts.exact { grid-template-columns: repeat(auto-fill, minmax(min(100%, 17rem), 1fr)); gap: 0.25rem 1.5rem; }
.facts.exact > div { grid-template-columns: minmax(0, 1fr) auto; border-bottom: 1px solid var(--line); }
.facts.exact dd { font-family: var(--mono); font-size: 0.85rem; text-align: right; }
.facts .reasons { margin: 0; padding-left: 1.1rem; }
"""

PICTURE = """
.picture { margin: 0 0 2rem; }
.vector { list-style: none; margin: 0 0 1rem; padding: 0; border-top: 1px solid var(--line); }
.vector > li { display: grid; grid-template-columns: 12.5rem minmax(0, 1fr) 15rem; gap: 0.4rem 2rem;
  align-items: center;  padding: 0.75rem 0; border-bottom: 1px solid var(--line); }
.vector .part { padding-left: 1.2rem; grid-template-columns: 11.3rem minmax(0, 1fr) 15rem; font-size: 0.95rem; }
.who { display: flex; align-items: center; gap: 0.7rem; color: inherit; text-decoration: none; }
.who:hover .name { text-decoration: underline; }
.name { font-weight: 600; overflow-wrap: normal; }
.letter { display: inline-grid; place-items: center; min-width: 1.9rem; height: 1.9rem; padding: 0 0.3rem; flex: none;
  border-radius: 6px; background: var(--ink); color: var(--paper); font-weight: 700; font-size: 0.95rem; }
.part .letter, .card .part .letter { background: none; color: var(--ink); border: 1.5px solid var(--strong); }
.deciding { padding: 0 0.5rem; min-width: 0; }
.numbers { margin: 0; font-size: 0.88rem; color: var(--soft); font-variant-numeric: tabular-nums; max-width: none; }
.numbers strong { color: var(--ink); font-size: 1rem; }
.level { display: flex; flex-wrap: wrap; align-items: center; gap: 0.2rem 0.7rem; }
.level-words { font-weight: 600; }
svg { display: block; max-width: 100%; }
.track { overflow: visible; }
.rail { fill: var(--rail); }
.span { fill: var(--accent-soft); }
.second { fill: var(--strong); }
.dot { fill: var(--accent); stroke: var(--paper); stroke-width: 1.5; }
.zero { stroke: var(--strong); stroke-width: 1; }
.needs { stroke: var(--ink); stroke-width: 1.5; stroke-dasharray: 3 2.5; }
.needs-text { fill: var(--soft); font: 11px var(--sans); }
.step { fill: none; stroke: var(--strong); stroke-width: 1.4; }
.step.credited { fill: var(--accent); stroke: var(--accent); }
.step.not-tested { stroke-dasharray: 2.5 2.5; }
.step.met-not-credited { stroke: var(--accent); }
.hatch { stroke: var(--accent); stroke-width: 2; }
.mark { fill: var(--ink); font: 600 12px var(--sans); }
"""

CARDS = """
.card { margin: 0 0 1.5rem; padding: 1.4rem 1.5rem; background: var(--raised); border: 1px solid var(--line);
  border-radius: 10px; }
.card.bare { padding-block: 1rem; }
.card > h3 { margin: 0 0 1rem; display: flex; align-items: center; gap: 0.3rem; font-size: 1.25rem; }
.card .part { border-top: 1px solid var(--line); margin-top: 1.5rem; padding: 1.4rem 0 0; }
.card .part h4 { display: flex; align-items: center; gap: 0.3rem; margin-bottom: 0.8rem; }
.lead { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 1rem 3rem; align-items: start; }
.lead-rate { padding-right: 0.5rem; }
.lead .big { margin: 0; font-size: 1.7rem; font-weight: 660; letter-spacing: -0.015em; line-height: 1.15;
  font-variant-numeric: tabular-nums; }
.bare .lead .big, .part .lead .big { font-size: 1.25rem; }
.lead .small { margin: 0.25rem 0 0.4rem; max-width: none; font-variant-numeric: tabular-nums; }
.lead-level .steps { margin-top: 0.5rem; }
.card { --here: var(--raised); }
.scroll { --edge: var(--here, var(--paper)); overflow-x: auto; margin: 1rem 0; background:
  linear-gradient(90deg, var(--edge) 40%, transparent) 0 0 / 2rem 100% no-repeat local,
  linear-gradient(270deg, var(--edge) 40%, transparent) 100% 0 / 2rem 100% no-repeat local,
  linear-gradient(90deg, var(--line), transparent) 0 0 / 0.8rem 100% no-repeat scroll,
  linear-gradient(270deg, var(--line), transparent) 100% 0 / 0.8rem 100% no-repeat scroll; }
table { border-collapse: collapse; width: 100%; font-size: 0.9rem; font-variant-numeric: tabular-nums; }
caption { text-align: left; font-weight: 650; padding: 0 0 0.4rem; }
th, td { text-align: left; vertical-align: top; padding: 0.4rem 0.8rem 0.4rem 0; border-bottom: 1px solid var(--line);
  overflow-wrap: normal; }
th { font-weight: 600; }
thead th { color: var(--soft); font-size: 0.85rem; font-weight: 500; vertical-align: bottom; }
th:last-child, td:last-child { padding-right: 0; }
.cells td.right { padding-right: 0.8rem; }
.right { text-align: right; white-space: nowrap; }
.cells { min-width: 56rem; }
.cells td:nth-child(2) { min-width: 11rem; }
.cells th { white-space: nowrap; }
.cells .under { white-space: normal; }
.cells th:nth-child(8) { min-width: 11.5rem; }
.cells th:nth-child(7) { min-width: 10rem; }
.cells th:nth-child(9) { min-width: 8rem; }
.narrow { width: auto; min-width: min(100%, 30rem); }
.rates { min-width: 62rem; }
.rates th, .rates td:nth-child(2) { white-space: nowrap; }
.rates .under { display: inline; margin-left: 0.5rem; }
.rates td:nth-child(3) { min-width: 11rem; padding: 0.4rem 1.3rem 0.4rem 0.5rem; }
.rates td:nth-child(8) { min-width: 12rem; }
.status { font-weight: 650; white-space: nowrap; }
.status.ok { color: var(--good); }
.status.stop { color: var(--stop); }
.pair { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 24rem), 1fr)); gap: 1rem; }
.pair .facts.exact { grid-template-columns: minmax(0, 1fr); }
.box { padding: 1rem 1.2rem; margin: 0 0 1rem; border: 1px solid var(--line); border-radius: 8px; min-width: 0; }
.pair .box { margin: 0; }
.skipped { padding: 0.6rem 1rem; border-left: 3px solid var(--warn-line); margin-bottom: 1rem; }
details { margin: 0.6rem 0; }
summary { cursor: pointer; padding: 0.3rem 0; font-weight: 600; }
.inside { padding: 0.4rem 0 0.6rem; min-width: 0; }
.json, .commands { padding: 0.8rem 1rem; background: var(--raised); border: 1px solid var(--line); border-radius: 6px; }
.card .json { background: var(--paper); }
.json { max-height: 32rem; overflow: auto; }
"""

EPISODES = """
.group h3 { margin-bottom: 0.2rem; }
.episode { border: 1px solid var(--line); border-radius: 8px; margin: 0.6rem 0; }
.episode > summary { padding: 0.65rem 1rem; display: flex; flex-wrap: wrap; gap: 0.1rem 0.8rem; align-items: baseline; }
.episode > summary::before { content: "▸"; color: var(--soft); }
.episode[open] > summary::before { content: "▾"; }
.episode > summary::-webkit-details-marker { display: none; }
.episode .place { font-weight: 400; color: var(--soft); }
.episode .status { white-space: normal; }
.episode .inside { padding: 0.2rem 1rem 1rem; }
.trace { list-style: none; margin: 1rem 0 0; padding: 0; border-top: 1px solid var(--line); }
.trace li { display: grid; grid-template-columns: 5.5rem minmax(0, 1fr); gap: 0 1rem; padding: 0.45rem 0 0.45rem 0.7rem;
  border-bottom: 1px solid var(--line); }
.trace .kind { color: var(--soft); font-size: 0.85rem; font-weight: 600; }
.trace .gap { display: block; text-align: center; color: var(--soft); font-style: italic; }
.step-act, .step-decide { background: linear-gradient(90deg, var(--accent) 3px, transparent 3px); }
.step-act .kind, .step-decide .kind { color: var(--accent); }
.step-fault { color: var(--warn); }
.step-fault .kind { color: inherit; }
.step-verify pre, .step-end pre { font-weight: 650; }
"""

MATRIX = """
.matrix { width: auto; min-width: min(100%, 44rem); }
.matrix th, .matrix td { padding: 0.15rem 0.3rem 0.15rem 0; vertical-align: middle; border-bottom: none; }
.matrix th:first-child { padding-right: 1rem; white-space: nowrap; }
.matrix thead th { text-align: center; vertical-align: bottom; }
.matrix thead th:first-child { text-align: left; }
.matrix td { min-width: 5.2rem; }
.tile { overflow: visible; }
.heat { fill: var(--accent-soft); }
.heat.below { fill: var(--warn-line); }
.edge { fill: none; stroke: var(--line); }
.ring { fill: none; stroke: var(--ink); stroke-width: 1.8; }
.ring.stayed { stroke: var(--stop); stroke-dasharray: 4 3; }
.tile-text { fill: var(--ink); font: 600 13px var(--sans); }
.tile-text.absent { fill: var(--soft); font-weight: 400; font-size: 11px; }
.point { fill: none; stroke: var(--accent); stroke-width: 1.2; }
.middle { fill: var(--ink); }
.careful { fill: var(--soft); }
.forest { min-width: 58rem; }
.forest td:nth-child(2) { min-width: 15rem; padding: 0.4rem 1.3rem 0.4rem 0.5rem; vertical-align: middle; }
.status.unknown { color: var(--soft); font-weight: 500; }
"""

NARROW = """
@media (max-width: 52rem) {
  .vector > li, .vector .part { grid-template-columns: minmax(0, 1fr) auto;
    grid-template-areas: "who level" "rate rate"; gap: 0.3rem 1rem; }
  .vector .part { padding-left: 1rem; }
  .vector .who { grid-area: who; }
  .vector .deciding { grid-area: rate; }
  .vector .level { grid-area: level; justify-content: flex-end; text-align: right; }
  .lead { grid-template-columns: minmax(0, 1fr); }
}
@media (max-width: 38rem) {
  body { padding-inline: 0.9rem; }
  .facts:not(.exact) > div { grid-template-columns: minmax(0, 1fr); }
  .card, .box { padding: 1rem; }
  .rates th, .rates td:nth-child(2) { white-space: normal; overflow-wrap: anywhere; min-width: 5.5rem; }
  .rates td:nth-child(3) { min-width: 9rem; }
  .rates { min-width: 50rem; }
  .vector > li, .vector .part { grid-template-columns: minmax(0, 1fr); grid-template-areas: "who" "rate" "level"; }
  .vector .level { justify-content: flex-start; text-align: left; }
  .trace li { grid-template-columns: minmax(0, 1fr); }
}
@media print {
  body { max-width: none; padding: 0; font-size: 10pt; }
  nav, .skip { display: none; }
  .box, .vector > li, tr { break-inside: avoid; }
  h2, h3, h4 { break-after: avoid; }
  .scroll, .json { overflow: visible; max-height: none; }
  .cells, .rates { min-width: 0; font-size: 8pt; }
  svg { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  details::details-content { content-visibility: visible; block-size: auto; }
}
"""

STYLE = "".join((COLOURS, TEXT, TOP, PICTURE, CARDS, EPISODES, MATRIX, NARROW))
"""Everything, as it stands in the page; the page's policy names its hash."""
