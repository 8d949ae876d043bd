import { MASK } from '@sortie/contract/requests/request-parts.ts'
import { toExcerpt } from '../../requests/runs/excerpt.ts'
import { splitCredentials } from '../../requests/sending/credentials.ts'
import { createMask } from '../../requests/sending/mask.ts'
import type { ExchangeSource } from './composer.ts'
import type { listResults, listRuns } from './source.queries.ts'

type RunRow = Awaited<ReturnType<typeof listRuns>>[number]
type ResultRow = Awaited<ReturnType<typeof listResults>>[number]

/** Shorter credentials occur in every text: they are masked in their headers only. */
const MIN_CREDENTIAL = 6
/** Longest body that is laid out as JSON, in characters. */
const MAX_JSON = 200_000

/** A recorded run as reports show it: without secrets, credentials and cookies. */
export const exchangeOfRun = (row: RunRow): ExchangeSource => {
  const { request, response } = toExcerpt(row)
  const headers = (list: readonly { name: string; value: string }[]) =>
    list.map(({ name, value }) => `${name}: ${value}`)
  const body = (text: string | null) => (text === null || text === '' ? [] : ['', prettyJson(text)])
  return {
    title: `${request.method} ${request.url}`,
    request: [`${request.method} ${request.url}`, ...headers(request.headers), ...body(request.body)].join('\n'),
    response:
      response &&
      [
        `HTTP/${response.httpVersion} ${response.status} ${response.statusText}`.trim(),
        ...headers(response.headers),
        ...body(response.body ?? (response.omitted && `(${response.omitted})`)),
      ].join('\n'),
  }
}

const prettyJson = (text: string): string => {
  if (text.length > MAX_JSON || !/^\s*[[{]/.test(text)) return text
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    // Not JSON: shown as it was received.
    return text
  }
}

/** What tools recorded about a result: its request and response, or its other proof. */
export const exchangeOfResult = ({ title, asset, data }: ResultRow): ExchangeSource => {
  const request = linesOf(data['request'])
  const response = linesOf(data['response'])
  const exchanges = linesOf(data['exchanges'])
  const rest = ['evidence', 'output', 'extracted'].flatMap((name) => linesOf(data[name]))
  const shown = request.length > 0 ? [...request, ...exchanges] : [asset, ...exchanges, ...rest]
  const masked = maskedText([shown.join('\n'), response.join('\n')])
  return { title, request: masked[0] ?? '', response: response.length > 0 ? (masked[1] ?? '') : null }
}

/** A text, or several: evidence is a list, exchanges are requests with their responses. */
const linesOf = (value: unknown): string[] => {
  if (typeof value === 'string') return value === '' ? [] : [value]
  if (Array.isArray(value)) return value.flatMap(linesOf)
  if (typeof value !== 'object' || value === null) return []
  const { request, response } = value as { request?: unknown; response?: unknown }
  return [...linesOf(request), ...linesOf(response)]
}

/** Masks credentials and cookies in the headers of these texts, and everywhere else in them. */
const maskedText = (texts: readonly string[]): string[] => {
  const found: string[] = []
  const lines = texts.map((text) =>
    text.split('\n').map((line) => {
      const colon = line.indexOf(':')
      if (colon < 1 || colon > 64) return line
      const { name, value, credentials } = splitCredentials({
        name: line.slice(0, colon).trim(),
        value: line.slice(colon + 1).trim(),
      })
      if (credentials.length === 0) return line
      found.push(...credentials)
      return `${name}: ${value}`
    }),
  )
  const mask = createMask(found.filter((text) => text.length >= MIN_CREDENTIAL && !text.includes(MASK)))
  return lines.map((some) => mask(some.join('\n')))
}
