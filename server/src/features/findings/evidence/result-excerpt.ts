import type { getResultExcerpt } from '@sortie/contract/inventory/results.ts'
import type { Static } from 'typebox'
import { createCredentialMask, splitCredentials } from '../../requests/sending/credentials.ts'

type Excerpt = Static<(typeof getResultExcerpt)['reply']>['data']

/** What tools and people record as proof, in the order in which it is shown. */
const PROOF = ['exchanges', 'request', 'response', 'evidence', 'output', 'extracted'] as const

/** Characters of the proof that are searched for credentials. */
const SEARCHED = 262_144
/** A credential may begin before the end of what is searched, so the excerpt ends earlier. */
const HELD_BACK = 16_384
/** Characters of different credentials that are also masked outside of their headers: searching for all is slow. */
const MAX_CREDENTIALS = 16_384

/** A header with credentials, also within a command or JSON. */
const HEADER = /["']?\b((?:proxy-)?authorization|(?:set-)?cookie)["']?[ \t]*:[ \t]*["']?/gi

interface Proven {
  title: string
  asset: string
  /** With the fields that lists leave out. */
  data: Readonly<Record<string, unknown>>
}

/** The proof of a result as findings show it: without credentials and cookies, as far as headers name them. */
export const toResultExcerpt = ({ title, asset, data }: Proven): Excerpt => {
  const whole = PROOF.flatMap((name) => textsIn(data[name])).join('\n')
  const isCut = whole.length > SEARCHED
  const lines = whole.slice(0, SEARCHED).split('\n').map(splitLine)
  const mask = createCredentialMask(firstOf(lines.flatMap(({ credentials }) => credentials)))
  const text = mask(lines.map(({ shown }) => shown).join('\n'))
  return { title: mask(title), asset: mask(asset), text: isCut ? text.slice(0, -HELD_BACK) : text, isCut }
}

/** A text, or several: evidence is a list, exchanges are requests with their responses. */
const textsIn = (value: unknown): string[] => {
  if (typeof value === 'string') return value === '' ? [] : [value]
  if (Array.isArray(value)) return value.flatMap(textsIn)
  if (typeof value !== 'object' || value === null) return []
  const { request, response } = value as { request?: unknown; response?: unknown }
  return [...textsIn(request), ...textsIn(response)]
}

/** Different credentials, up to the limit of characters. */
const firstOf = (credentials: readonly string[]): string[] => {
  let rest = MAX_CREDENTIALS
  return [...new Set(credentials)].filter((credential) => (rest -= credential.length) >= 0)
}

/** A line with the credentials of its headers masked, and what they were. */
const splitLine = (line: string): { shown: string; credentials: string[] } => {
  const credentials: string[] = []
  let shown = ''
  let rest = 0
  for (const found of line.matchAll(HEADER)) {
    const from = found.index + found[0].length
    if (found.index < rest) continue
    const to = endOfValue(line, found[0], from)
    const header = splitCredentials({ name: found[1] ?? '', value: line.slice(from, to) })
    credentials.push(...header.credentials)
    shown += line.slice(rest, from) + header.value
    rest = to
  }
  return { shown: shown + line.slice(rest), credentials }
}

/** Where the value of a header ends: at the quote that began it or its name, otherwise at the end of the line. */
const endOfValue = (line: string, beginning: string, from: number): number => {
  const last = beginning.at(-1) ?? ''
  const quote = last === '"' || last === "'" ? last : (beginning[0] ?? '')
  const end = quote === '"' || quote === "'" ? line.indexOf(quote, from) : -1
  if (end >= 0) return end
  return line.endsWith('\r') ? line.length - 1 : line.length
}
