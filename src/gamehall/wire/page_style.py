"""How the plain page looks."""

from __future__ import annotations

STYLE = """
:root {
  color-scheme: light dark;
  --back: #f6f4ef; --card: #fffdf8; --ink: #26231d; --soft: #6b6558; --line: #e0dace;
  --accent: #8a2f1d; --code: #efeae0; --free: #2e7d4f; --busy: #b7791f;
}
@media (prefers-color-scheme: dark) {
  :root {
    --back: #181613; --card: #211e1a; --ink: #ece6da; --soft: #a49b8b; --line: #38332b;
    --accent: #f0957f; --code: #2b2721; --free: #6cc492; --busy: #e0b15e;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; background: var(--back); color: var(--ink);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
}
main, footer { max-width: 62rem; margin: 0 auto; padding: 0 1rem; }
header { max-width: 62rem; margin: 0 auto; padding: 2rem 1rem 0.5rem; }
h1 { margin: 0; font-size: 2rem; letter-spacing: -0.02em; }
h2 { margin: 0 0 0.75rem; font-size: 1.1rem; }
h3 { margin: 0; font-size: 1rem; }
p { margin: 0.35rem 0; }
a { color: var(--accent); }
.soft { color: var(--soft); }
.numbers { display: flex; flex-wrap: wrap; gap: 0.25rem 1.5rem; padding: 0; list-style: none; }
.numbers b { font-variant-numeric: tabular-nums; }
.cards { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fit, minmax(19rem, 1fr)); }
section {
  background: var(--card); border: 1px solid var(--line); border-radius: 0.75rem;
  padding: 1rem 1.25rem; min-width: 0;
}
section:last-child { grid-column: 1 / -1; }
ul.rows { margin: 0; padding: 0; list-style: none; }
ul.rows > li { padding: 0.5rem 0; border-top: 1px solid var(--line); overflow-wrap: anywhere; }
ul.rows > li:first-child { border-top: 0; padding-top: 0; }
.names { display: flex; flex-wrap: wrap; gap: 0.4rem; margin: 0; padding: 0; list-style: none; }
.names li {
  border: 1px solid var(--line); border-radius: 1rem; padding: 0.1rem 0.7rem; max-width: 100%;
  overflow-wrap: anywhere;
}
.names li::before { content: "● "; color: var(--busy); font-size: 0.7em; }
.names li.free::before { color: var(--free); }
code, pre { font: 0.85rem/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
code { background: var(--code); border-radius: 0.3rem; padding: 0.1rem 0.3rem; }
pre { background: var(--code); border-radius: 0.5rem; padding: 0.75rem; overflow-x: auto; }
pre code { padding: 0; }
footer { padding-top: 1rem; padding-bottom: 2rem; font-size: 0.9rem; }
@media (max-width: 24rem) { .cards { grid-template-columns: 1fr; } }
""".strip()
