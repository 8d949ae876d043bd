interface Technology {
  name: string
  version?: string | undefined
}

/** Characters of a page that are searched. */
const LOOKED_THROUGH = 100_000
const MAX_TITLE = 500

type Headers = Readonly<Record<string, string>>

/** The header and pattern of a technology. The group, if present, captures the version. */
const BY_HEADER: readonly [name: string, header: string, sign: RegExp][] = [
  ['nginx', 'server', /^nginx(?:\/([\d.]{1,20}))?/i],
  ['Apache HTTP Server', 'server', /^Apache(?:\/([\d.]{1,20}))?/],
  ['Microsoft IIS', 'server', /^Microsoft-IIS(?:\/([\d.]{1,20}))?/i],
  ['lighttpd', 'server', /^lighttpd(?:\/([\d.]{1,20}))?/i],
  ['Caddy', 'server', /^Caddy/i],
  ['LiteSpeed', 'server', /^LiteSpeed/i],
  ['Envoy', 'server', /^envoy/i],
  ['Jetty', 'server', /^Jetty\(([\d.]{1,20})/i],
  ['Cloudflare', 'server', /^cloudflare/i],
  ['gunicorn', 'server', /^gunicorn(?:\/([\d.]{1,20}))?/i],
  ['Werkzeug', 'server', /^Werkzeug\/([\d.]{1,20})/i],
  ['OpenSSL', 'server', /OpenSSL\/([\d.]{1,20}[a-z]?)/],
  ['PHP', 'x-powered-by', /^PHP(?:\/([\d.]{1,20}))?/i],
  ['ASP.NET', 'x-powered-by', /^ASP\.NET/i],
  ['Express', 'x-powered-by', /^Express/i],
  ['Next.js', 'x-powered-by', /^Next\.js(?: ([\d.]{1,20}))?/i],
  ['ASP.NET', 'x-aspnet-version', /^([\d.]{1,20})/],
  ['Jenkins', 'x-jenkins', /^([\d.]{1,20})/],
  ['Drupal', 'x-generator', /^Drupal(?: ([\d.]{1,20}))?/i],
  ['Varnish', 'via', /varnish/i],
  ['PHP', 'set-cookie', /\bPHPSESSID=/],
  ['Java', 'set-cookie', /\bJSESSIONID=/],
  ['ASP.NET', 'set-cookie', /\bASP\.NET_SessionId=/i],
  ['Laravel', 'set-cookie', /\blaravel_session=/],
  ['Django', 'set-cookie', /\bcsrftoken=/],
]

const BY_PAGE: readonly [name: string, sign: RegExp][] = [
  ['WordPress', /<meta name="generator" content="WordPress ?([\d.]{0,20})"/i],
  ['WordPress', /\/wp-(?:content|includes)\//],
  ['Joomla', /<meta name="generator" content="Joomla/i],
  ['Drupal', /<meta name="generator" content="Drupal ?([\d.]{0,20})/i],
  ['Grafana', /window\.grafanaBootData/],
  ['Jenkins', /<title>[^<]{0,100}\[Jenkins\]/],
  ['GitLab', /<meta content="GitLab" property="og:site_name"/],
  ['phpMyAdmin', /<title>phpMyAdmin/i],
  ['Swagger UI', /swagger-ui(?:-bundle)?\.(?:js|css)/],
  ['Next.js', /<script id="__NEXT_DATA__"/],
  ['Apache Tomcat', /<title>Apache Tomcat(?:\/([\d.]{1,20}))?/],
]

/** Detects the technologies of a response, by a short list of unambiguous signs. */
export const technologiesOf = (headers: Headers, page: string): Technology[] => {
  const text = page.slice(0, LOOKED_THROUGH)
  const found = new Map<string, Technology>()
  const note = (name: string, match: RegExpExecArray | null) => {
    if (!match) return
    const version = match[1] || found.get(name)?.version
    found.set(name, { name, ...(version !== undefined && { version }) })
  }
  for (const [name, header, sign] of BY_HEADER) note(name, sign.exec(headers[header] ?? ''))
  for (const [name, sign] of BY_PAGE) note(name, sign.exec(text))
  return [...found.values()]
}

const ENTITIES = new Map(
  Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', ndash: '–', mdash: '—', middot: '·' }),
)
const MAX_CODE_POINT = 0x10ffff

/** Returns the title of a page, in one line. */
export const titleOf = (page: string): string | undefined => {
  const text = page.slice(0, LOOKED_THROUGH)
  const start = text.search(/<title[\s>]/i)
  const open = start < 0 ? -1 : text.indexOf('>', start)
  const close = open < 0 ? -1 : text.indexOf('<', open)
  if (close < 0) return undefined
  const title = text.slice(open + 1, close).slice(0, MAX_TITLE)
  return (
    title
      .replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,6}));/gi, unescape)
      .replace(/\s+/g, ' ')
      .trim() || undefined
  )
}

const unescape = (written: string, decimal?: string, hex?: string, name?: string): string => {
  if (name !== undefined) return ENTITIES.get(name.toLowerCase()) ?? written
  const point = decimal === undefined ? Number.parseInt(hex as string, 16) : Number(decimal)
  return point <= MAX_CODE_POINT ? String.fromCodePoint(point) : written
}
