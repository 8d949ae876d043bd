import type { ReportDataValue } from '@sortie/contract/reports/report-data.ts'

/** Characters of the names of fonts; a template sets them. */
const familyOf = (name: string): string => [...name].filter((character) => /[\p{L}\p{N} _-]/u.test(character)).join('')

/** Colors are of the form #rrggbb: the contract checks it. */
const severityStyles = ({ severities }: ReportDataValue): string =>
  severities
    .map(
      ({ key, color }) =>
        `.badge.${key},.bar-fill.${key}{background:${color}}.finding.${key}{border-inline-start-color:${color}}`,
    )
    .join('\n')

/** The styles of a report on a screen and on paper. */
export const styleOf = (data: ReportDataValue): string => {
  const { design } = data
  return `
:root{--accent:${design.accent};--text:#1b1f24;--soft:#5b6570;--line:#d9dee4;--wash:#f5f7f9}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0 auto;max-width:54rem;padding:0 2rem 4rem;color:var(--text);background:#fff;
  font:16px/1.6 "${familyOf(design.fonts.body)}",system-ui,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;overflow-wrap:anywhere}
h1,h2,h3,h4,h5,h6{font-family:"${familyOf(design.fonts.heading)}",system-ui,"Segoe UI",Roboto,Arial,sans-serif;line-height:1.25;margin:2.2em 0 .6em;break-after:avoid;text-wrap:balance}
h1{font-size:2.6rem;letter-spacing:-.02em;margin:.2em 0}
h2{font-size:1.7rem;letter-spacing:-.01em;padding-top:1.6rem;border-top:1px solid var(--line)}
h3{font-size:1.25rem}
h4{font-size:1.05rem}
h5,h6{font-size:.95rem;color:var(--soft)}
.number{color:var(--accent);font-variant-numeric:tabular-nums;margin-inline-end:.35em}
p,ul,ol,dl,pre,figure,blockquote,.wide{margin:0 0 1em}
a{color:var(--accent);text-decoration-thickness:1px;text-underline-offset:2px}
code,pre{font-family:"${familyOf(design.fonts.code)}",ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.86em}
:not(pre)>code{background:var(--wash);border-radius:3px;padding:.1em .35em}
pre{background:var(--wash);border:1px solid var(--line);border-radius:6px;padding:.9rem 1rem;white-space:pre-wrap;line-height:1.5}
.cover{min-height:78vh;display:flex;flex-direction:column;justify-content:center;padding:4rem 0 2rem}
.cover img{max-width:14rem;max-height:6rem;width:auto;height:auto;object-fit:contain;object-position:left;margin-bottom:3rem}
.organization{color:var(--soft);font-size:.95rem;letter-spacing:.04em;margin-bottom:.5rem}
.subtitle{font-size:1.35rem;color:var(--soft)}
.cover dl{display:grid;grid-template-columns:repeat(auto-fit,minmax(13rem,1fr));gap:1.1rem 2rem;margin-top:3rem;padding-top:1.5rem;border-top:3px solid var(--accent)}
dt{color:var(--soft);font-size:.8rem}
dd{margin:0}
.cover-note{margin-top:2rem;color:var(--soft)}
.contents ol{list-style:none;padding-inline-start:0}
.contents ol ol{padding-inline-start:1.6rem;font-size:.93em}
.contents li{margin:.3em 0}
.contents a{color:inherit;text-decoration:none}
.contents a:hover{color:var(--accent)}
.finding{border-inline-start:4px solid var(--line);padding-inline-start:1.4rem;margin:2.5rem 0}
.finding>:first-child{margin-top:0}
.badge{display:inline-block;vertical-align:middle;color:#fff;border-radius:999px;font-size:.72rem;font-weight:600;letter-spacing:.02em;padding:.15em .8em;white-space:nowrap;print-color-adjust:exact;-webkit-print-color-adjust:exact}
.facts{display:grid;grid-template-columns:repeat(auto-fit,minmax(12rem,1fr));gap:.8rem 1.6rem;background:var(--wash);border-radius:6px;padding:1rem 1.2rem}
.wide{overflow-x:auto}
table{border-collapse:collapse;width:100%;font-size:.92em;font-variant-numeric:tabular-nums}
caption,figcaption{text-align:start;color:var(--soft);font-size:.88rem;padding:.4rem 0;caption-side:top}
caption b,figcaption b{color:var(--text)}
th{text-align:start;font-weight:600;border-bottom:2px solid var(--line);padding:.5rem .7rem;vertical-align:bottom}
td{border-bottom:1px solid var(--line);padding:.5rem .7rem;vertical-align:top}
th,td{overflow-wrap:break-word}
td code{overflow-wrap:anywhere}
.right{text-align:end}.center{text-align:center}
tr{break-inside:avoid}
thead{display:table-header-group}
figure{break-inside:avoid}
figure img{display:block;max-width:100%;height:auto;border:1px solid var(--line);border-radius:6px}
.exchange{border:1px solid var(--line);border-radius:6px;margin:0 0 1em;overflow:hidden}
.exchange pre{border:0;border-radius:0;margin:0;background:none}
.exchange-title{margin:0;padding:.5rem 1rem;background:var(--wash);font-size:.85rem;font-weight:600;border-bottom:1px solid var(--line)}
.part{margin:0;padding:.6rem 1rem 0;color:var(--soft);font-size:.78rem}
.callout{border:1px solid var(--line);border-inline-start:4px solid var(--accent);border-radius:6px;background:var(--wash);padding:.9rem 1.1rem;margin:0 0 1em;break-inside:avoid}
.callout.warning,.callout.caution{border-inline-start-color:#b7791f}
.callout-title{font-weight:600;margin-bottom:.3em}
.callout>:last-child,blockquote>:last-child{margin-bottom:0}
blockquote{border-inline-start:3px solid var(--line);padding-inline-start:1.1rem;color:var(--soft);margin-inline:0}
hr{border:0;border-top:1px solid var(--line);margin:2rem 0}
.tasks{list-style:none;padding-inline-start:.4rem}
.footnotes{color:var(--soft);font-size:.86rem;border-top:1px solid var(--line);padding-top:.8rem}
.chart{margin:0 0 1.5em}
.bar{display:grid;grid-template-columns:7rem 1fr 2.5rem;align-items:center;gap:.8rem;margin:.35rem 0}
.bar-name{color:var(--soft);font-size:.9rem}
.bar-track{background:var(--wash);border-radius:4px;height:1.1rem;overflow:hidden}
.bar-fill{display:block;height:100%;border-radius:4px;print-color-adjust:exact;-webkit-print-color-adjust:exact}
.bar-count{font-weight:600;font-variant-numeric:tabular-nums}
.unshown{background:#fde8c8;color:#6b4208;border-radius:3px;font-size:.75em;padding:.1em .35em}
.watermark{position:fixed;inset:0;display:grid;place-items:center;pointer-events:none;z-index:1;font-size:min(22vw,14rem);font-weight:700;letter-spacing:.05em;color:rgb(120 130 140 / .11);transform:rotate(-32deg)}
body>footer{border-top:1px solid var(--line);margin-top:4rem;padding-top:1rem;color:var(--soft);font-size:.85rem}
${severityStyles(data)}
@page{size:${design.paper === 'letter' ? 'letter' : 'A4'};margin:22mm 20mm}
@media print{
  body{max-width:none;padding:0;font-size:10.5pt}
  a{color:inherit;text-decoration:none}
  th,td{overflow-wrap:anywhere}
  .cover{min-height:auto;height:92vh;break-after:page}
  .contents{break-after:page}
  .wide{overflow:visible}
  .finding{border-inline-start-width:3px}
  h2{border-top:0}
  p,li{orphans:3;widows:3}
}
`
}
