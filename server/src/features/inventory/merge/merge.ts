import { isDeepStrictEqual } from 'node:util'
import { cleanText, MAX_ENTRIES } from '../sightings/clean.ts'
import { type LeftOut, limitedTo, separated, sumLeftOut } from '../sightings/left-out.ts'
import type { Sighting } from '../sightings/sightings.ts'
import { serviceTitle } from '../sightings/sightings.ts'
import { fittingEvidence, joinedExchanges } from './evidence.ts'

export type Data = Record<string, unknown>

/** Fields that can be large. They have their own column, so that lists stay fast. */
const LARGE = new Set([
  'request',
  'response',
  'exchanges',
  'evidence',
  'scripts',
  'banner',
  'codeFlows',
  'ciphers',
  'traceroute',
  'tables',
])

export const splitData = (data: Data): { data: Data; large: Data } => ({
  data: Object.fromEntries(Object.entries(data).filter(([field]) => !LARGE.has(field))),
  large: Object.fromEntries(Object.entries(data).filter(([field]) => LARGE.has(field))),
})

/**
 * Merges a source's fields into known data. Blanks never overwrite, guesses only fill blanks, and a partial list adds
 * to the known one. If a source reports a field twice, lists and banners are joined and any other field keeps its first
 * value, so the split into batches does not matter.
 *
 * @param reported fields that this source has reported before
 * @returns `leftOut`: what this merge left out
 */
export const mergeData = (
  known: Data,
  reported: readonly string[],
  { data, guesses, parts }: Pick<Sighting, 'data' | 'guesses' | 'parts'>,
): { data: Data; reported: string[]; leftOut: LeftOut } => {
  const merged = { ...known }
  const nowReported = new Set(reported)
  const hasExchange = ['request', 'response', 'exchanges'].some((field) => nowReported.has(field))
  const exchanges = hasExchange ? joinedExchanges(known, data) : undefined
  for (const [field, value] of Object.entries(data)) {
    if (guesses.includes(field) && merged[field] !== undefined) continue
    merged[field] =
      nowReported.has(field) || (parts.includes(field) && merged[field] !== undefined)
        ? joined(field, merged[field], value)
        : sorted(value)
    nowReported.add(field)
  }
  if (exchanges) {
    merged['exchanges'] = exchanges
    nowReported.add('exchanges')
  }
  return { ...separated(merged), reported: [...nowReported] }
}

/** A list is limited. */
const joined = (field: string, first: unknown, second: unknown): unknown => {
  if (field === 'banner' && typeof first === 'string' && typeof second === 'string') return joinedBanners(first, second)
  if (field === 'evidence' && Array.isArray(first) && Array.isArray(second))
    return fittingEvidence([...first, ...second] as string[])
  if (Array.isArray(first) && Array.isArray(second)) return sorted([...first, ...second])
  if (isObject(first) && isObject(second)) return { ...second, ...first }
  return first
}

/** Some tools report one banner for each probe of a service. */
const joinedBanners = (first: string, second: string): string =>
  first.includes(second) ? first : (cleanText(`${first}\n${second}`) ?? first)

/** Lists of texts are compared in any order; exchanges are already sorted. */
const sorted = (value: unknown): unknown =>
  Array.isArray(value) && typeof value[0] !== 'object'
    ? limitedTo(MAX_ENTRIES, [...new Set(value as string[])].toSorted())
    : value

const isObject = (value: unknown): value is Data => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Merges the sightings of one source that share a fingerprint. */
export const mergeSightings = (sightings: readonly Sighting[]): Sighting[] => {
  const merged = new Map<string, Sighting & { reported: string[] }>()
  for (const sighting of sightings) {
    const known = merged.get(sighting.identity)
    if (!known) {
      const { data, reported, leftOut } = mergeData({}, [], sighting)
      merged.set(sighting.identity, { ...sighting, data, reported, leftOut: sumLeftOut(sighting.leftOut, leftOut) })
      continue
    }
    const { data, reported, leftOut } = mergeData(known.data, known.reported, sighting)
    known.leftOut = sumLeftOut(known.leftOut, sighting.leftOut, leftOut)
    // A guess of the first row becomes a fact when another row states it.
    const facts = known.guesses.filter((field) => field in sighting.data && !sighting.guesses.includes(field))
    for (const field of facts) data[field] = sighting.data[field]
    known.guesses = known.guesses.filter((field) => !facts.includes(field))
    known.data = data
    known.reported = reported
    known.severity ??= sighting.severity
    known.askedName ??= sighting.askedName
    known.address ??= sighting.address
    known.disposition ??= sighting.disposition
    known.passed &&= sighting.passed
    if (known.verdict !== sighting.verdict) known.verdict = null
    known.aliases = [...new Set([...known.aliases, ...sighting.aliases])]
  }
  return [...merged.values()]
}

/** The fields of a result that sources change, at one moment. */
export interface ResultSnapshot {
  title: string
  severity: number | null
  state: string
  status: string | null
  tools: readonly string[]
  reopenedAt: string | null
  data: Data
}

/** The fields in which two moments differ, including single fields of `data`. */
export type PartialSnapshot = Partial<Omit<ResultSnapshot, 'data'>> & { data?: Data }

/**
 * Returns both sides of what differs; undefined if nothing does. A field of `data` that one side lacks is null there.
 */
export const difference = (
  before: PartialSnapshot,
  after: PartialSnapshot,
): { before: PartialSnapshot; after: PartialSnapshot } | undefined => {
  const fields = (Object.keys(before) as (keyof PartialSnapshot)[]).filter(
    (field) => field !== 'data' && !isDeepStrictEqual(before[field], after[field]),
  )
  const [dataBefore, dataAfter] = [before.data ?? {}, after.data ?? {}]
  const dataFields = [...new Set([...Object.keys(dataBefore), ...Object.keys(dataAfter)])].filter(
    (field) => !isDeepStrictEqual(dataBefore[field], dataAfter[field]),
  )
  if (fields.length === 0 && dataFields.length === 0) return undefined
  const side = (reported: PartialSnapshot, data: Data): PartialSnapshot => ({
    ...Object.fromEntries(fields.map((field) => [field, reported[field]])),
    ...(dataFields.length > 0 && { data: Object.fromEntries(dataFields.map((field) => [field, data[field] ?? null])) }),
  })
  return { before: side(before, dataBefore), after: side(after, dataAfter) }
}

/** Overlays one snapshot on another; `over` wins. */
export const overlaid = (under: PartialSnapshot | null, over: PartialSnapshot | null): PartialSnapshot => ({
  ...under,
  ...over,
  ...((under?.data ?? over?.data) && { data: { ...under?.data, ...over?.data } }),
})

/** Reverts a result to its state before a change. */
export const restored = (now: ResultSnapshot, before: PartialSnapshot): ResultSnapshot => ({
  ...now,
  ...before,
  data: Object.fromEntries(Object.entries({ ...now.data, ...before.data }).filter(([, value]) => value !== null)),
})

/** Returns the title for this data; a service's title is built from all known fields. */
export const titleOf = (sighting: Pick<Sighting, 'kind' | 'title'>, data: Data): string =>
  sighting.kind === 'service' ? serviceTitle(data) : sighting.title
