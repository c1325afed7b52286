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
.top { padding-top: clamp(1.5rem, 4vw, 3.2rem); }
.kicker { margin: 0 0 0.4rem; font-size: 0.85rem; letter-spacing: 0.08em; text-transform: uppercase; font-weight: 600; }
.verdict { margin: 1.2rem 0 1rem; padding-left: 1.1rem; border-left: 4px solid var(--accent); }
.verdict p { max-width: 52rem; margin: 0 0 0.5rem; line-height: 1.5; }
.verdict p:first-child { font-size: clamp(1.15rem, 1.02rem + 0.6vw, 1.4rem); line-height: 1.4; font-weight: 500;
  letter-spacing: -0.008em; text-wrap: pretty; }
.verdict p:last-child { margin-bottom: 0; }
.statement { font-weight: 600; }
.tuple { margin: 0.9rem 0; max-width: none; color: var(--soft); padding: 0.5rem 0.8rem; background: var(--raised);
  border-radius: 6px; }
.top .tuple { color: var(--ink); font-size: 0.85rem; }
.banner { max-width: none; margin: 0.9rem 0; padding: 0.7rem 1rem; font-size: 1.05rem; color: var(--warn);
  background: var(--warn-back); border: 1px solid var(--warn-line); border-left-width: 6px; border-radius: 6px; }
.banner strong { text-transform: uppercase; letter-spacing: 0.05em; font-size: 0.85em; margin-right: 0.35rem; }
.notices, .flags { list-style: none; padding: 0; margin: 0 0 0.9rem; }
.notices li, .flags li { margin: 0.3rem 0; max-width: 95ch; }
.all-flags { margin: 1rem 0; }
.all-flags h2 { font-size: 0.82rem; font-weight: 500; color: var(--soft); margin: 0 0 0.2rem; letter-spacing: 0; }
.all-flags p { margin: 0; }
.about { font-weight: 650; }
.pill { display: inline-block; padding: 0.05rem 0.5rem; border: 1px solid var(--strong); border-radius: 1rem;
  font-size: 0.8rem; font-weight: 600; white-space: nowrap; }
.pill.provisional, .pill.contested, .pill.limited, .pill.exploratory { color: var(--warn);
  background: var(--warn-back); border-color: var(--warn-line); }
.pill.invalid { color: var(--stop); border-color: var(--stop); }
nav { margin: 1.2rem 0 0; border-block: 1px solid var(--line); }
nav ul { list-style: none; display: flex; flex-wrap: wrap; gap: 0.2rem 1.4rem; margin: 0; padding: 0.6rem 0; }
nav a { display: inline-block; padding: 0.2rem 0; }
.facts { margin: 0 0 1rem; display: grid; gap: 0.5rem; }
.facts > div { display: grid; grid-template-columns: 11rem minmax(0, 1fr); gap: 0 1rem; }
.facts dt { color: var(--soft); font-size: 0.9rem; }
.facts dd { margin: 0; }
.facts.brief { grid-template-columns: repeat(auto-fill, minmax(min(100%, 15rem), 1fr)); gap: 0.8rem 1.6rem;
  font-size: 0.92rem; padding: 0.9rem 0; border-block: 1px solid var(--line); }
.facts.brief > div { display: block; }
.facts.brief dt { font-size: 0.82rem; }
.facts.exact { grid-template-columns: repeat(auto-fill, minmax(min(100%, 17rem), 1fr)); gap: 0.25rem 1.5rem; }
.facts.exact > div { grid-template-columns: minmax(0, 1fr) auto; border-bottom: 1px solid var(--line); }
.facts.exact dd { font-family: var(--mono); font-size: 0.85rem; text-align: right; }
.facts .reasons { margin: 0; padding-left: 1.1rem; }
"""

PICTURE = """
.picture { margin: 0 0 2rem; --grid: 9.5rem minmax(0, 1fr) minmax(0, 1fr) 9.4rem; }
.heads { display: grid; grid-template-columns: var(--grid); gap: 0 1.8rem; margin: 0 0 0.3rem; max-width: none;
  color: var(--soft); font-size: 0.82rem; }
.vector { list-style: none; margin: 0 0 1rem; padding: 0; border-top: 1px solid var(--line); }
.vector > li { display: grid; grid-template-columns: var(--grid); gap: 0.4rem 1.8rem; align-items: start;
  padding: 0.8rem 0 0.75rem; border-bottom: 1px solid var(--line); }
.vector .part .who { padding-left: 0.9rem; }
.who { display: flex; align-items: center; gap: 0.6rem; color: inherit; text-decoration: none; line-height: 1.2; }
.who:hover .name { text-decoration: underline; }
.name { font-weight: 600; overflow-wrap: normal; }
.letter { display: inline-grid; place-items: center; min-width: 1.9rem; height: 1.9rem; padding: 0 0.3rem; flex: none;
  border-radius: 6px; background: var(--ink); color: var(--paper); font-weight: 700; font-size: 0.95rem; }
.part .letter { background: none; color: var(--ink); border: 1.5px solid var(--strong); font-size: 0.85rem; }
.rate { min-width: 0; }
.rate.whole { grid-column: span 2; }
.what { margin: 0 0 0.35rem; font-size: 0.86rem; line-height: 1.35; color: var(--soft); }
.what strong { color: var(--ink); }
.what.empty { color: var(--soft); }
.role { display: none; }
.numbers { margin: 0.15rem 0 0; font-size: 0.86rem; line-height: 1.4; color: var(--soft);
  font-variant-numeric: tabular-nums; max-width: none; }
.numbers strong { color: var(--ink); font-size: 1rem; }
.numbers .status { display: inline-block; margin-top: 0.1rem; }
.also { margin: 0.25rem 0 0; padding-left: 1rem; font-size: 0.82rem; line-height: 1.35; color: var(--soft);
  font-variant-numeric: tabular-nums; }
.level { display: flex; flex-wrap: wrap; align-items: center; gap: 0.3rem 0.6rem; }
.level-words { font-weight: 600; }
svg { display: block; max-width: 100%; }
.track { overflow: visible; padding: 0 5px; box-sizing: border-box; }
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
.step.above-the-mean { stroke: var(--line); }
.hatch { stroke: var(--accent); stroke-width: 2; }
.mark { fill: var(--ink); font: 600 12px var(--sans); }
.legend { list-style: none; display: flex; flex-wrap: wrap; gap: 0.25rem 1.4rem; padding: 0; margin: 0 0 0.6rem; }
.legend li { display: flex; align-items: center; gap: 0.45rem; }
.legend .wide { flex-basis: 100%; }
.rung { flex: none; }
"""

CARDS = """
.dimension { margin: 0; border-bottom: 1px solid var(--line); }
.dimension > summary { display: flex; align-items: center; gap: 0.7rem; padding: 0.6rem 0; font-weight: 400; }
.dimension > summary::-webkit-details-marker, .part-fold > summary::-webkit-details-marker { display: none; }
.dimension > summary::before, .part-fold > summary::before { content: "▸"; color: var(--soft); width: 0.9rem; }
.dimension[open] > summary::before, .part-fold[open] > summary::before { content: "▾"; }
.dimension .part { border-top: 1px solid var(--line); margin-top: 1.5rem; }
.folded { border-bottom: 1px solid var(--line); }
.folded h2 { margin: 0; font-size: 1.2rem; }
.part-fold { margin: 0; }
.part-fold > summary { display: flex; align-items: center; gap: 0.7rem; padding: 0.9rem 0; }
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
.right { text-align: right; white-space: nowrap; }
.levels { min-width: 34rem; }
.levels .group th { padding-top: 0.9rem; font-weight: 400; border-bottom-style: dotted; }
.levels .group .status { margin-top: 0.15rem; white-space: normal; display: block; }
.levels td.right .under { white-space: normal; }
.behind { min-width: 56rem; }
.both { min-width: 44rem; }
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
@media (max-width: 62rem) {
  .picture { --grid: minmax(0, 1fr) minmax(0, 1fr); }
  .heads { display: none; }
  .vector > li { gap: 0.6rem 1.8rem; }
  .role { display: inline-block; font-size: 0.78rem; font-weight: 600; margin-right: 0.15rem; color: var(--soft); }
  .vector .level { justify-content: flex-end; order: 1; }
  .vector .rate { order: 2; }
  .vector .part .who { padding-left: 0; }
}
@media (max-width: 38rem) {
  body { padding-inline: 0.9rem; }
  .picture { --grid: minmax(0, 1fr); }
  .vector .level { justify-content: flex-start; }
  .rate.whole { grid-column: auto; }
  .facts:not(.exact) > div { grid-template-columns: minmax(0, 1fr); }
  .facts.brief { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); }
  .box { padding: 1rem; }
  .rates th, .rates td:nth-child(2) { white-space: normal; overflow-wrap: anywhere; min-width: 5.5rem; }
  .rates td:nth-child(3) { min-width: 9rem; }
  .rates { min-width: 50rem; }
  .trace li { grid-template-columns: minmax(0, 1fr); }
}
@media print {
  body { max-width: none; padding: 0; font-size: 10pt; }
  nav, .skip { display: none; }
  .box, .vector > li, tr { break-inside: avoid; }
  h2, h3, h4, summary { break-after: avoid; }
  .scroll, .json { overflow: visible; max-height: none; }
  .levels, .behind, .both, .rates { min-width: 0; font-size: 8pt; }
  svg, .pill, .banner { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  details::details-content { content-visibility: visible; block-size: auto; }
}
"""

STYLE = "".join((COLOURS, TEXT, TOP, PICTURE, CARDS, EPISODES, MATRIX, NARROW))
"""Everything, as it stands in the page; the page's policy names its hash."""

_TECHNICAL = """
.lead { font-size: clamp(1.1rem, 1rem + 0.5vw, 1.3rem); line-height: 1.42; padding-left: 1rem; max-width: 72ch;
  border-left: 4px solid var(--accent); }
.strong { font-weight: 650; }
.framework { color: var(--soft); margin: 0 0 0.2rem; }
.notice { max-width: none; padding: 0.5rem 0.9rem; color: var(--warn); background: var(--warn-back);
  border: 1px solid var(--warn-line); border-radius: 5px; }
.wide { min-width: 58rem; font-size: 0.85rem; }
h2 { margin-top: 2.6rem; }
.facts dd { overflow-wrap: anywhere; }
"""

TECHNICAL = "".join((COLOURS, TEXT, TOP, CARDS, _TECHNICAL, NARROW))
"""The style sheet of the Technical Report."""
