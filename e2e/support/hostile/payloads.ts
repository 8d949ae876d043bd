import { isNightly } from '../server/nightly.ts'

/** The effect of a payload that runs: a page with this property is broken. */
const RUN = 'window.__ran=1'
const ELSEWHERE = 'https://elsewhere.example'

const EVENTS = [
  'onload onerror onclick onfocus onblur onmouseover onmouseenter onpointerover onpointerrawupdate ontoggle onbegin onend onrepeat',
  'onanimationstart onanimationend ontransitionend onwheel onscroll onscrollend onpaste oncopy oninput onchange onsubmit onreset oninvalid',
  'onhashchange onpageshow onpopstate onmessage onstart onfinish onplay oncanplay onloadstart oncontentvisibilityautostatechange',
  'onauxclick onbeforeinput onbeforetoggle ondblclick ondragstart onfocusin onkeydown onpointerenter onsecuritypolicyviolation',
].flatMap((line) => line.split(' '))

const CARRIERS = [
  (event: string) => `<img src=x ${event}=${RUN}>`,
  (event: string) => `<svg ${event}=${RUN}>`,
  (event: string) => `<details open ${event}="${RUN}"><summary>x</summary></details>`,
  (event: string) => `"><input autofocus ${event}='${RUN}' x="`,
  (event: string) => `' ${event}=${RUN} x='`,
  (event: string) => `<img/src=x/${event}=${RUN}>`,
  (event: string) => `<IMG SRC=X ${event.toUpperCase()}=${RUN}>`,
  (event: string) => `<img src=x ${event}=&#119;indow.__ran&equals;1>`,
  (event: string) => `<img src=x ${event}\n=\n${RUN}>`,
  (event: string) => `<body ${event}=${RUN}>`,
  (event: string) => `<iframe ${event}=${RUN}></iframe>`,
  (event: string) => `<video autoplay controls ${event}=${RUN}><source src=x ${event}=${RUN}></video>`,
  (event: string) => `<svg><animate ${event}=${RUN} attributeName=x dur=1s>`,
  (event: string) => `<math><mtext ${event}=${RUN}></mtext></math>`,
  (event: string) => `<a href=x tabindex=1 ${event}=${RUN}>x</a>`,
  (event: string) => `<select autofocus ${event}=${RUN}><option>x</select>`,
  (event: string) => `<x style=animation:x ${event}=${RUN}>`,
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
  (address: string) => `[![picture](${address}${RUN})](${address}${RUN})`,
  (address: string) => `<${address}${RUN}>`,
  (address: string) => `[x]: <${address}${RUN}>\n\n[x]`,
  (address: string) => `[^1]\n\n[^1]: [link](${address}${RUN})`,
  (address: string) => `<form action="${address}${RUN}"><input type=submit></form>`,
  (address: string) => `<iframe src="${address}${RUN}"></iframe>`,
  (address: string) => `<object data="${address}${RUN}"></object>`,
  (address: string) => `<embed src="${address}${RUN}">`,
  (address: string) => `<svg><a xlink:href="${address}${RUN}"><text>x</text></a></svg>`,
  (address: string) => `<base href="${address}${RUN}">`,
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

/** Each pair; in the short form one in `oneOf`, with each of both still included. */
const pairsOf = <A, B>(some: readonly A[], others: readonly B[], oneOf: number): [A, B][] =>
  some.flatMap((one, row) =>
    others.filter((_, column) => isNightly || (row + column) % oneOf === 0).map((other): [A, B] => [one, other]),
  )

/**
 * Texts that would run, or send a request to another host, if a page treated them as markup, each once: more than 250,
 * and more than 1,000 in the long form.
 */
export const PAYLOADS: readonly string[] = [
  ...new Set([
    ...pairsOf(EVENTS, CARRIERS, 6).map(([event, carry]) => carry(event)),
    ...pairsOf(SCHEMES, LINKS, 4).map(([scheme, link]) => link(scheme)),
    ...REMOTE.map((element) => `<${element}=${ELSEWHERE}/x>`),
    ...ODD,
  ]),
]

/**
 * A line of text contains no control or direction characters; the server refuses them, which a separate test covers.
 */
export const LINES: readonly string[] = PAYLOADS.filter((text) => !/[\p{Cc}\p{Cf}\u2028]/u.test(text)).map((text) =>
  text.slice(0, 190),
)

/** Texts of several lines may contain everything except NUL. */
export const TEXTS: readonly string[] = PAYLOADS.map((text) => text.replaceAll('\0', ''))

/** Joins texts, one below another, into parts of at most this many characters. */
export const partsOf = (texts: readonly string[], maxLength: number): string[] => {
  const parts: string[] = []
  for (const text of texts) {
    const grown = parts.length === 0 ? text : `${parts.at(-1)}\n\n${text}`
    if (parts.length === 0 || grown.length > maxLength) parts.push(text)
    else parts[parts.length - 1] = grown
  }
  return parts
}
