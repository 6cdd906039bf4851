# SPDX-License-Identifier: Apache-2.0
"""The report's style sheet and its one script; the page reads the same without the script."""

from __future__ import annotations

SCRIPT = """
for (const table of document.querySelectorAll('table.sortable')) {
  const body = table.querySelector('tbody.systems');
  const heads = [...table.querySelectorAll('thead th')];
  heads.forEach((head, column) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener('click', () => {
      const down = head.getAttribute('aria-sort') !== 'descending';
      heads.forEach(other => other.removeAttribute('aria-sort'));
      head.setAttribute('aria-sort', down ? 'descending' : 'ascending');
      const value = row => row.cells[column].dataset.value ?? row.cells[column].textContent;
      const order = (a, b) => {
        const [x, y] = [value(a), value(b)];
        const numbers = x !== '' && y !== '' && !isNaN(x) && !isNaN(y);
        return numbers ? y - x : y.localeCompare(x);
      };
      const rows = [...body.rows].sort((a, b) => down ? order(a, b) : order(b, a));
      body.append(...rows);
    });
  });
}
"""

STYLE = """
:root {
  color-scheme: light dark;
  --paper: #fbfaf7; --card: #ffffff; --ink: #23272e; --quiet: #626873; --rule: #e3e0d8;
  --grid: #ebe8e0; --wash: #f4f2ec;
  --model: #17697a; --outputs: #7a4a9c; --baseline: #757b85; --published: #a3560f;
  --human: #38722a; --warn: #fdf3dc; --warn-edge: #d9a93a;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #16191d; --card: #1c2025; --ink: #e6e4de; --quiet: #a1a7b0; --rule: #343a42;
    --grid: #2a2f36; --wash: #22272d;
    --model: #5cc3d6; --outputs: #c39be3; --baseline: #a3a9b3; --published: #e9a25b;
    --human: #8fce78; --warn: #332b18; --warn-edge: #a9842f;
  }
}
* { box-sizing: border-box; }
html { scroll-behavior: smooth; scroll-padding-top: 1rem; }
@media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto; } }
body {
  margin: 0; background: var(--paper); color: var(--ink);
  font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Liberation Sans", sans-serif;
}
.page { max-width: 66rem; margin: 0 auto; padding: 3.5rem 1.5rem 6rem; }
h1, h2, h3 {
  font-family: "Iowan Old Style", Charter, "Palatino Linotype", Georgia, "DejaVu Serif", serif;
  font-weight: 600; line-height: 1.2; letter-spacing: -0.01em;
}
h1 { font-size: 2.5rem; margin: 0; }
h2 { font-size: 1.7rem; margin: 4rem 0 1rem; }
h3 { font-size: 1.28rem; margin: 0; }
h4 { font-size: 0.95rem; margin: 2rem 0 0.5rem; font-weight: 600; }
p { margin: 0.5rem 0; max-width: 46rem; }
a { color: var(--model); text-underline-offset: 0.2em; }
a:focus-visible, button:focus-visible, summary:focus-visible, .scroll:focus-visible {
  outline: 2px solid var(--model); outline-offset: 2px; border-radius: 3px;
}
code { font: 0.88em ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; }
.lead, .quiet { color: var(--quiet); }
.lead { font-size: 1.05rem; }
.notice {
  background: var(--warn); border-left: 4px solid var(--warn-edge); border-radius: 4px;
  padding: 0.7rem 1rem; margin: 1.2rem 0 0; max-width: none;
}
.legend { display: flex; flex-wrap: wrap; gap: 0.3rem 1.4rem; padding: 0; margin: 1rem 0;
  list-style: none; font-size: 0.88rem; color: var(--quiet); }
.legend svg { width: 14px; height: 14px; vertical-align: -2px; margin-right: 0.4rem; }
.task {
  background: var(--card); border: 1px solid var(--rule); border-radius: 10px;
  padding: 1.6rem 1.7rem 1.3rem; margin: 1.4rem 0;
}
.task > header { margin-bottom: 1rem; }
.task > header p { max-width: none; }
.verdict { font-size: 0.92rem; }
.verdict::before { content: ""; display: inline-block; width: 0.6rem; height: 0.6rem;
  border-radius: 50%; margin-right: 0.5rem; background: var(--baseline); }
.verdict.better::before { background: var(--human); }
.verdict.worse::before { background: var(--published); }
.scroll { overflow-x: auto; margin: 0.6rem 0; }
.task .scroll:has(table) {
  background: linear-gradient(to left, var(--card) 20px, transparent) right / 36px 100% local,
    linear-gradient(to left, var(--rule), transparent) right / 14px 100% scroll;
  background-repeat: no-repeat;
}
.task .scroll th:first-child { position: sticky; left: 0; background: var(--card); }
table { border-collapse: collapse; font-size: 0.88rem; width: 100%;
  font-variant-numeric: tabular-nums; }
caption { text-align: left; color: var(--quiet); padding: 0 0 0.4rem; }
th, td { padding: 0.42rem 0.7rem; text-align: left; vertical-align: top; }
th:first-child, td:first-child { padding-left: 0; }
thead th { font-weight: 600; vertical-align: bottom; border-bottom: 1.5px solid var(--ink); }
tbody th { font-weight: 500; min-width: 11rem; }
tbody tr + tr > * { border-top: 1px solid var(--grid); }
tbody.published { border-top: 1.5px solid var(--ink); color: var(--quiet); }
tbody.published th { font-weight: 400; }
td.number, th.number { text-align: right; white-space: nowrap; }
td.best { font-weight: 700; }
.interval { display: block; font-size: 0.82em; font-weight: 400; color: var(--quiet); }
.badge { font-size: 0.76rem; font-weight: 400; color: var(--quiet); white-space: nowrap;
  border: 1px solid var(--rule); border-radius: 99px; padding: 0 0.5rem; margin-left: 0.35rem; }
.overview td, .overview th { vertical-align: middle; }
.overview tbody th { min-width: 13rem; }
.overview .name { display: block; font-size: 0.82em; color: var(--quiet); max-width: 11rem;
  white-space: normal; overflow-wrap: anywhere; line-height: 1.3; }
.overview .group th { padding: 1.1rem 0 0.3rem; color: var(--quiet); font-weight: 600; }
.overview .group + tr > * { border-top: 0; }
thead button { font: inherit; color: inherit; background: none; border: 0; padding: 0;
  cursor: pointer; text-align: inherit; }
thead button:hover { text-decoration: underline; text-underline-offset: 0.2em; }
th[aria-sort=descending] button::after { content: " ↓"; }
th[aria-sort=ascending] button::after { content: " ↑"; }
figure { margin: 0.4rem 0 1rem; }
figcaption { font-size: 0.88rem; color: var(--quiet); margin-bottom: 0.3rem; }
details { margin: 0.8rem 0; font-size: 0.92rem; }
summary { cursor: pointer; color: var(--quiet); width: fit-content; }
summary:hover { color: var(--ink); }
details > *:not(summary) { margin-left: 1rem; }
dt { font-weight: 600; margin-top: 0.6rem; overflow-wrap: anywhere; }
dd { margin: 0; color: var(--quiet); overflow-wrap: anywhere; }
.notes { background: var(--wash); border-radius: 8px; padding: 0.8rem 1.1rem; font-size: 0.92rem;
  margin-top: 1rem; }
.notes ul { margin: 0; padding-left: 1.1rem; }
.notes li + li { margin-top: 0.3rem; }
.wrap td, .wrap th { overflow-wrap: anywhere; }
svg { overflow: visible; }
svg.plot { display: block; width: 100%; min-width: 620px; max-width: 860px; height: auto; }
svg.strip { display: block; width: 220px; height: 33px; }
svg text { font: 12.5px system-ui, -apple-system, "Segoe UI", Roboto, "Liberation Sans",
  sans-serif; fill: var(--ink); font-variant-numeric: tabular-nums; }
svg .label { text-anchor: end; }
svg .tick { text-anchor: middle; fill: var(--quiet); font-size: 11.5px; }
svg .group { font-weight: 600; }
svg .quiet { fill: var(--quiet); }
svg .grid { stroke: var(--grid); }
svg .axis { stroke: var(--rule); stroke-width: 1.5; }
svg .whisker { stroke-width: 2.2; stroke-linecap: round; stroke: var(--baseline); }
svg .whisker.model { stroke: var(--model); }
svg .whisker.outputs { stroke: var(--outputs); }
svg .whisker.over { stroke: var(--ink); stroke-width: 1.4; }
svg .mark { stroke-width: 1.8; stroke: var(--card); }
svg .mark.baseline { fill: var(--card); stroke: var(--baseline); }
svg .mark.model { fill: var(--model); }
svg .mark.outputs { fill: var(--outputs); }
svg .mark.published { fill: var(--published); }
svg .mark.human { fill: var(--human); }
svg .reference { stroke-width: 1.3; }
svg .reference.published { stroke: var(--published); stroke-dasharray: 5 3; }
svg .reference.human { stroke: var(--human); stroke-dasharray: 1.5 3; stroke-linecap: round; }
svg .note { font-size: 11.5px; }
svg .note.published { fill: var(--published); }
svg .note.human { fill: var(--human); }
svg .bar { fill: var(--baseline); }
svg .bar.baseline { fill-opacity: 0.45; }
svg .bar.model { fill: var(--model); }
svg .bar.outputs { fill: var(--outputs); }
svg .bar.published { fill: var(--published); fill-opacity: 0.75; }
svg .bar.human { fill: var(--human); fill-opacity: 0.75; }
@media (max-width: 40rem) {
  .page { padding: 2rem 1rem 4rem; }
  .task { padding: 1.1rem 1rem; }
  h1 { font-size: 2rem; }
}
@media print {
  body { background: none; font-size: 11pt; }
  .task { break-inside: avoid; border: 0; padding: 0; }
}
"""
