/** The whole style of the reference page; the page's Content-Security-Policy contains its hash. */
export const REFERENCE_STYLE = `
:root { color-scheme: light dark; --text: #1b1f24; --soft: #57606a; --line: #d8dde3; --page: #fff; --raised: #f5f6f8; --link: #1a4fc4;
  --get: #1a5fb4; --post: #116329; --patch: #8a4600; --delete: #b3261e; }
@media (prefers-color-scheme: dark) { :root { --text: #e4e7eb; --soft: #a3acb8; --line: #353b43; --page: #14171a; --raised: #1d2126; --link: #86aeff;
  --get: #86b7ff; --post: #6fd08c; --patch: #f0b060; --delete: #ff9a90; } }
* { box-sizing: border-box; }
html { scroll-padding-top: 16px; }
body { margin: 0; color: var(--text); background: var(--page); font: 16px/1.55 system-ui, -apple-system, 'Segoe UI', sans-serif; display: grid;
  grid-template-columns: 280px minmax(0, 1fr); }
a { color: var(--link); }
a:focus-visible, [tabindex]:focus-visible, summary:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
.skip { position: absolute; left: -9999px; }
.skip:focus { left: 8px; top: 8px; background: var(--page); padding: 8px; z-index: 1; }
nav { position: sticky; top: 0; height: 100vh; overflow-y: auto; padding: 24px 20px; border-right: 1px solid var(--line); background: var(--raised); font-size: 14px; }
nav p { margin: 18px 0 4px; font-weight: 600; }
nav .brand { margin-top: 0; font-size: 17px; }
nav .brand span, h1 small { color: var(--soft); font-weight: 400; }
nav a { text-decoration: none; color: inherit; }
nav a:hover { text-decoration: underline; }
nav ul { list-style: none; margin: 0; padding: 0; }
nav li { padding: 2px 0; overflow-wrap: anywhere; }
nav b { display: inline-block; min-width: 54px; font-size: 11px; }
main { padding: 24px 40px 80px; max-width: 980px; }
h1 { margin: 0 0 16px; font-size: 30px; line-height: 1.2; }
h2 { margin: 48px 0 8px; font-size: 23px; }
h3 { margin: 0; font-size: 19px; }
h3 a { color: inherit; text-decoration: none; }
section { margin-top: 28px; padding-top: 24px; border-top: 1px solid var(--line); }
p { margin: 8px 0; }
code, pre { font-family: ui-monospace, 'SF Mono', Menlo, Consolas, monospace; font-size: .875em; }
:not(pre) > code { background: var(--raised); padding: 1px 4px; border-radius: 4px; overflow-wrap: anywhere; }
pre { overflow-x: auto; background: var(--raised); border: 1px solid var(--line); border-radius: 6px; padding: 12px; line-height: 1.45; }
.path code { background: none; padding: 0; }
.GET { color: var(--get); } .POST { color: var(--post); } .PATCH, .PUT { color: var(--patch); } .DELETE { color: var(--delete); }
.facts span { display: inline-block; margin: 0 6px 4px 0; padding: 1px 8px; border: 1px solid var(--line); border-radius: 12px; font-size: 13px; color: var(--soft); }
.facts code { background: none; padding: 0; color: var(--text); }
.scroll { overflow-x: auto; margin: 16px 0; }
table { border-collapse: collapse; width: 100%; font-size: 14px; }
caption { text-align: left; font-weight: 600; padding-bottom: 4px; }
th { text-align: left; font-weight: 600; color: var(--soft); }
th, td { padding: 6px 12px 6px 0; border-bottom: 1px solid var(--line); vertical-align: top; }
td:first-child code { overflow-wrap: normal; }
td ul { margin: 2px 0 0; padding-left: 18px; }
td em { color: var(--soft); font-size: 13px; }
details { margin: 8px 0; }
summary { cursor: pointer; color: var(--link); font-size: 14px; }
.decisions li { margin-bottom: 10px; }
@media (max-width: 760px) {
  body { display: block; }
  nav { position: static; height: auto; border-right: 0; border-bottom: 1px solid var(--line); padding: 16px; }
  main { padding: 16px 16px 60px; }
  th, td { padding-right: 8px; }
}
@media print { nav { display: none; } body { display: block; } }
`
