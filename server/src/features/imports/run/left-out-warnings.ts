import {
  MAX_EVIDENCE,
  MAX_EVIDENCE_CHARACTERS,
  MAX_EXCHANGED_CHARACTERS,
  MAX_EXCHANGES,
} from '../../inventory/merge/evidence.ts'
import { MAX_ENTRIES } from '../../inventory/sightings/clean.ts'
import type { LeftOut } from '../../inventory/sightings/left-out.ts'
import { MAX_SCRIPTS } from '../../inventory/sightings/sightings.ts'
import { MAX_HEADERS } from '../../inventory/sightings/web-sightings.ts'

const characters = (count: number): string => `${count.toLocaleString('en')} characters`

/** Fields with limits of their own. */
const LIMITS: Readonly<Record<string, string>> = {
  evidence: `Evidence above ${MAX_EVIDENCE} texts or ${characters(MAX_EVIDENCE_CHARACTERS)} of one finding`,
  codeFlows: `Code flows above ${MAX_EVIDENCE} or ${characters(MAX_EVIDENCE_CHARACTERS)} of one finding`,
  exchanges: `Exchanges above ${MAX_EXCHANGES} or ${characters(MAX_EXCHANGED_CHARACTERS)} of one finding`,
  headers: `Headers above ${MAX_HEADERS} of one response`,
  scripts: `Outputs of scripts above ${MAX_SCRIPTS} of one result`,
}

/** A sentence for each limit beyond which an import left something out, with the numbers. */
export const leftOutWarnings = (leftOut: LeftOut): string[] => {
  const lists = Object.entries(leftOut).filter(([field]) => !Object.hasOwn(LIMITS, field))
  const named = lists
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([field, count]) => `${field} (${count.toLocaleString('en')})`)
  return [
    ...Object.entries(LIMITS).flatMap(([field, limit]) => {
      const count = leftOut[field] ?? 0
      return count > 0 ? [`${limit}, which were left out: ${count.toLocaleString('en')}.`] : []
    }),
    ...(named.length > 0
      ? [`Entries above ${MAX_ENTRIES} of one list, which were left out: ${named.join(', ')}.`]
      : []),
  ]
}
