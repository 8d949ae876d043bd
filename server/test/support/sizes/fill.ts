// Fills engagements to the sizes of docs/operating/sizes.md, through the API except for results.
import { zipFrom } from '../inputs/zip.ts'
import { png } from '../reports/png.ts'

/** The stated sizes. Those that are limits have the default of their setting. */
export const SIZES = {
  /** WIKI_PAGE_LIMIT */
  pages: 10_000,
  /** The longest text of a page that the API accepts, in characters. */
  pageCharacters: 500_000,
  /** TASK_LIMIT */
  tasks: 10_000,
  /** RESULT_LIMIT */
  results: 1_000_000,
  findings: 500,
  /** Of those findings, with one picture each. */
  pictures: 300,
}

/** Sends JSON, or bytes as they are; throws for an answer that is not good. @returns `data` of the answer */
// oxlint-disable-next-line typescript/no-explicit-any -- objects of every shape
export type Send = (method: string, path: string, body?: object | Uint8Array) => Promise<any>

export const senderOf =
  (origin: string, headers: Record<string, string>): Send =>
  async (method, path, body) => {
    const isBytes = body instanceof Uint8Array
    const response = await fetch(`${origin}/api/${headers['authorization'] ? 'v1' : 'web'}${path}`, {
      method,
      headers: { ...headers, ...(body && !isBytes && { 'content-type': 'application/json' }) },
      ...(body && { body: isBytes ? (body as Uint8Array<ArrayBuffer>) : JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`)
    return JSON.parse(text).data
  }

const inTurn = async <T>(count: number, act: (index: number) => Promise<T>): Promise<T[]> => {
  const done: T[] = []
  for (let index = 0; index < count; index++) done.push(await act(index))
  return done
}

/** Entries of one ZIP that comes from elsewhere. */
const ZIP_ENTRIES = 5_000
const BELOW_ONE = 50

/** Chapters with fifty pages below each. The title of page n is `Page 00n`, and its text has the word `wordn`. */
export const fillWiki = async (send: Send, engagementId: string, pages: number): Promise<void> => {
  const titleOf = (index: number) => `Page ${String(index).padStart(5, '0')}`
  const all = Array.from({ length: pages }, (_, index) => {
    const chapter = titleOf(index - (index % BELOW_ONE))
    const name = index % BELOW_ONE === 0 ? `${chapter}.md` : `${chapter}/${titleOf(index)}.md`
    return { name, data: `# Notes\n\nOf one host, with word${index} in it.\n` }
  })
  for (let from = 0; from < pages; from += ZIP_ENTRIES)
    await send('POST', `/wiki-pages/import?engagementId=${engagementId}`, zipFrom(all.slice(from, from + ZIP_ENTRIES)))
}

/** A text of exactly this many characters: headings, paragraphs, lists, tables and code, as in long notes. */
export const longText = (characters: number): string => {
  let text = ''
  for (let part = 1; text.length < characters; part++)
    text += `## Host ${part}\n\nThe service of **host ${part}** answers on \`10.0.0.${part % 250}\`, see [[Page 00001]].\n\n- it is old\n- it is open\n\n| Port | Service |\n|---|---|\n| 443 | https |\n\n\`\`\`\nGET / HTTP/1.1\nHost: host-${part}\n\`\`\`\n\n${'What was seen is written here. '.repeat(20)}\n\n`
  return text.slice(0, characters)
}

const ITEMS = 100

/** Checks of a methodology on targets: as many tasks as `tasks`, a multiple of a hundred. */
export const fillTasks = async (send: Send, engagementId: string, tasks: number): Promise<void> => {
  const text = Array.from({ length: tasks / ITEMS }, (_, index) => `10.0.0.${index + 1}`).join('\n')
  await send('POST', '/targets/bulk', { engagementId, text })
  const items = Array.from({ length: ITEMS }, (_, index) => ({
    key: `K${index}`,
    title: `Check ${index}`,
    group: 'All',
    appliesTo: ['ip'],
  }))
  const { id } = await send('POST', '/methodologies', { name: `Everything ${engagementId}`, items })
  await send('POST', `/methodologies/${id}/expand`, { engagementId, targets: { filter: {} } })
}

/**
 * Statements, for a superuser, that create services and vulnerabilities without words of the search: a million of them
 * take a minute, and an import five.
 */
export const resultRows = (organizationId: string, engagementId: string, results: number): string => `
  set session_replication_role = replica;
  insert into results (id, organization_id, engagement_id, kind, identity, asset, asset_key, host, protocol, port, title, severity, status,
      first_seen_at, last_seen_at, evidence_at, created_at, updated_at)
    select 'res_' || '${engagementId.slice(-8)}' || lpad(i::text, 18, '0'), '${organizationId}', '${engagementId}',
      case when i % 10 = 0 then 'vulnerability' else 'service' end, '${engagementId}' || i, 'host-' || i || '.example:443/tcp',
      lpad(i::text, 10, '0'), 'host-' || i || '.example', 'tcp', 443, 'Result ' || i, i % 5,
      case when i % 10 = 0 then 'open' end, now(), now() - i * interval '1 second', now(), now(), now()
    from generate_series(1, ${results}) i;
  set session_replication_role = default;
  analyze results`

/** As many bytes as a screenshot of a page with text: 200 kB. Each sixth pixel is noise, which nothing compresses. */
export const picture = (seed: number): Uint8Array =>
  png(700, 400, (x, y) => {
    const noise = (x * 374_761_393 + y * 668_265_263 + seed * 2_147_483_647) ^ (x * y * 1_274_126_177)
    return x % 6 === 0 ? [noise & 255, (noise >> 8) & 255, (noise >> 16) & 255] : [250, 250, 252]
  })

const PARAGRAPH = 'The application **trusts** an identifier that the `request` names, and shows the object to anyone. '

/** Findings with full texts, the first of them with a picture each. @returns the id of a report about them */
export const fillReport = async (
  send: Send,
  engagementId: string,
  findings: number,
  pictures: number,
): Promise<string> => {
  await inTurn(findings, async (index) => {
    const sections = ['summary', 'description', 'impact', 'reproduction', 'recommendation']
    const texts = Object.fromEntries(sections.map((name) => [name, PARAGRAPH.repeat(5)]))
    const title = `Finding ${String(index).padStart(5, '0')}`
    const { id } = await send('POST', '/findings', { engagementId, title, severity: 'medium', ...texts })
    if (index < pictures) await send('POST', `/findings/${id}/files?fileName=shot.png`, picture(index))
  })
  return (await send('POST', '/reports', { engagementId, title: 'Penetration test' })).id
}
