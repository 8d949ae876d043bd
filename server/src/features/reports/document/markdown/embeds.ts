import type { BlockValue } from '@sortie/contract/reports/report-data.ts'
import type { Composer, Place } from '../composer.ts'

/** Lines of a request or a response that are shown unless the text selects some. */
const MAX_LINES = 80
/** Longest line, in characters: a minified script is one line. */
const MAX_LINE = 2_000
const EXCHANGE = /^(?:run|req|res)_[0-9a-z]{26}$/
const FILE = /^fil_[0-9a-z]{26}$/

/** The block of `![[id]]`, `![[id|lines=3-9]]` or `![[id|caption]]`. */
export const embedOf = (composer: Composer, written: string, place: Place): BlockValue => {
  const bar = written.indexOf('|')
  const id = (bar < 0 ? written : written.slice(0, bar)).trim()
  const rest = bar < 0 ? '' : written.slice(bar + 1).trim()
  if (FILE.test(id)) return composer.figure(id, rest, place)
  if (EXCHANGE.test(id)) return exchangeOf(composer, id, rest, place)
  return missing(composer, id, place)
}

const missing = (composer: Composer, id: string, place: Place): BlockValue => {
  composer.note({
    code: 'missing_file',
    place,
    quote: id,
    message: 'The text embeds a file or request that does not exist here.',
  })
  return { type: 'paragraph', content: composer.inline(`[${composer.labels.missingFile}: ${id}]`, place) }
}

const exchangeOf = (composer: Composer, id: string, rest: string, place: Place): BlockValue => {
  const exchange = composer.sources.exchanges.get(id)
  if (!exchange) return missing(composer, id, place)
  const selected = linesIn(rest)
  const request = exchange.request.split('\n')
  const response = exchange.response?.split('\n')
  // Numbered as people see them: the response follows an empty line.
  const shown = selected
    ? {
        request: request.slice(selected.from - 1, selected.to),
        response: response?.slice(
          Math.max(0, selected.from - request.length - 2),
          Math.max(0, selected.to - request.length - 1),
        ),
      }
    : { request: bounded(composer, request), response: response && bounded(composer, response) }
  const text = (lines: readonly string[]) =>
    composer.plain(
      lines.map((line) => (line.length > MAX_LINE ? `${line.slice(0, MAX_LINE)} …` : line)).join('\n'),
      place,
    )
  return {
    type: 'exchange',
    title: composer.plain(rest !== '' && !selected ? rest : exchange.title, place),
    request: text(shown.request),
    response: shown.response ? text(shown.response) : null,
  }
}

const bounded = (composer: Composer, lines: readonly string[]): string[] =>
  lines.length <= MAX_LINES
    ? [...lines]
    : [
        ...lines.slice(0, MAX_LINES),
        `… ${composer.labels.moreLines.replace('{count}', String(lines.length - MAX_LINES))}`,
      ]

/** `lines=3-9`: from 1, inclusive. */
const linesIn = (rest: string): { from: number; to: number } | undefined => {
  const [, from, to] = /^lines=([1-9]\d{0,5})-([1-9]\d{0,5})$/.exec(rest) ?? []
  return from === undefined || to === undefined ? undefined : { from: Number(from), to: Number(to) }
}
