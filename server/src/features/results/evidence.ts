import { lastingText } from './passing.ts'

type Data = Readonly<Record<string, unknown>>

/** A request and its answer, either of which may be missing. */
export interface Exchange {
  request?: string | undefined
  response?: string | undefined
}

/** Of one finding. */
const MAX_EXCHANGES = 20
/** Of all of them together, in characters. */
const MAX_CHARACTERS = 512 * 1024

/** All exchanges that data has: a list of several, or the one that is a request and an answer. */
const exchangesIn = (data: Data): Exchange[] => {
  if (Array.isArray(data['exchanges'])) return data['exchanges'] as Exchange[]
  const { request, response } = data as Exchange
  return request === undefined && response === undefined ? [] : [{ request, response }]
}

/**
 * The exchanges of two looks at one finding, where they are several: each once, whatever in it differs with every answer, in
 * an order of their own, so that it does not matter which came first. Undefined for one.
 */
export const joinedExchanges = (first: Data, second: Data): Exchange[] | undefined => {
  const all = new Map([...exchangesIn(first), ...exchangesIn(second)].map((exchange) => [keyOf(exchange), exchange]))
  if (all.size < 2) return undefined
  let left = MAX_CHARACTERS
  const ordered = [...all].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, exchange]) => exchange)
  return ordered.slice(0, MAX_EXCHANGES).filter(({ request = '', response = '' }) => {
    left -= request.length + response.length
    return left >= 0
  })
}

const keyOf = ({ request = '', response = '' }: Exchange): string => JSON.stringify([lastingText(request), lastingText(response)])

const MAX_EVIDENCE = 50
/** Of all evidence of a finding together, in characters. */
const MAX_EVIDENCE_CHARACTERS = 256 * 1024

/** Each text once, in an order that does not depend on the file; the last are left out where all are too many or too long together. */
export const fittingEvidence = (texts: readonly string[]): string[] => {
  let left = MAX_EVIDENCE_CHARACTERS
  return [...new Set(texts)]
    .toSorted()
    .slice(0, MAX_EVIDENCE)
    .filter((text) => {
      left -= text.length
      return left >= 0
    })
}
