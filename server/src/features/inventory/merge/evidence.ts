import { Limited } from '../sightings/left-out.ts'
import { withoutVolatileText } from './volatile-fields.ts'

type Data = Readonly<Record<string, unknown>>

/** A request and its response; either may be missing. */
export interface Exchange {
  request?: string | undefined
  response?: string | undefined
}

/** Per finding. */
export const MAX_EXCHANGES = 20
/** Per finding, over all exchanges, in characters. */
export const MAX_EXCHANGED_CHARACTERS = 512 * 1024

/** Returns all exchanges of the data: the list, or the single request and response. */
const exchangesIn = (data: Data): Exchange[] => {
  if (Array.isArray(data['exchanges'])) return data['exchanges'] as Exchange[]
  const { request, response } = data as Exchange
  return request === undefined && response === undefined ? [] : [{ request, response }]
}

/**
 * Merges the exchanges of two sightings of one finding. Exchanges that differ only in volatile fields count once. The
 * order does not depend on which sighting came first. Returns undefined for a single exchange.
 */
export const joinedExchanges = (first: Data, second: Data): Limited<Exchange[]> | undefined => {
  const all = new Map([...exchangesIn(first), ...exchangesIn(second)].map((exchange) => [keyOf(exchange), exchange]))
  if (all.size < 2) return undefined
  let left = MAX_EXCHANGED_CHARACTERS
  const ordered = [...all].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, exchange]) => exchange)
  const kept = ordered.slice(0, MAX_EXCHANGES).filter(({ request = '', response = '' }) => {
    left -= request.length + response.length
    return left >= 0
  })
  return new Limited(kept, all.size - kept.length)
}

const keyOf = ({ request = '', response = '' }: Exchange): string =>
  JSON.stringify([withoutVolatileText(request), withoutVolatileText(response)])

/** Per finding. */
export const MAX_EVIDENCE = 50
/** Per finding, over all evidence, in characters. */
export const MAX_EVIDENCE_CHARACTERS = 256 * 1024

/**
 * Returns distinct texts in an order that does not depend on the file. Drops the last ones above the limits of number
 * and size.
 */
export const fittingEvidence = (texts: readonly string[]): Limited<string[]> => {
  let left = MAX_EVIDENCE_CHARACTERS
  const all = [...new Set(texts)]
  const kept = all
    .toSorted()
    .slice(0, MAX_EVIDENCE)
    .filter((text) => {
      left -= text.length
      return left >= 0
    })
  return new Limited(kept, all.length - kept.length)
}
