import type { Reply } from '@sortie/contract/endpoint.ts'
import type { diffRequestRuns } from '@sortie/contract/request-runs.ts'
import type { Database } from '../../../platform/database/open.ts'
import { notFound } from '../../../platform/errors.ts'
import { findRunBody } from './runs.queries.ts'

type Diff = Reply<typeof diffRequestRuns>['data']
type Change = Diff['body']['changes'][number]

interface Answer {
  status: number
  headers: readonly { name: string; value: string }[]
  mediaType: string | null
  bodySha256: string
}

const MAX_CHANGES = 1_000
const MAX_SHOWN = 1_000
/** Parts of JSON that are looked at; about as many as 1 MiB of the smallest has in 50 ms. */
const MAX_PARTS = 200_000

/** Compares the answers of two runs. @throws ApiError NOT_FOUND */
export const diffRuns = async (db: Database, organizationId: string, aId: string, bId: string): Promise<Diff> => {
  const [a, b] = [await findRunBody(db, organizationId, aId), await findRunBody(db, organizationId, bId)]
  if (!a || !b) throw notFound()
  const [one, other] = [a.response as Answer | null, b.response as Answer | null]
  const status = { a: one?.status ?? null, b: other?.status ?? null }
  return {
    status: { ...status, equal: status.a === status.b },
    headers: diffHeaders(one?.headers ?? [], other?.headers ?? []),
    body: diffBodies(one, other, a.body ?? Buffer.alloc(0), b.body ?? Buffer.alloc(0)),
  }
}

const diffHeaders = (a: Answer['headers'], b: Answer['headers']): Diff['headers'] => {
  const names = [...new Set([...a, ...b].map(({ name }) => name.toLowerCase()))].toSorted()
  const values = (headers: Answer['headers'], wanted: string) => headers.flatMap(({ name, value }) => (name.toLowerCase() === wanted ? [value] : []))
  const changes = names.map((name) => ({ name, a: values(a, name), b: values(b, name) })).filter((change) => change.a.join('\n') !== change.b.join('\n'))
  return { equal: changes.length === 0, changes }
}

const diffBodies = (a: Answer | null, b: Answer | null, aBytes: Buffer, bBytes: Buffer): Diff['body'] => {
  const equal = (a?.bodySha256 ?? '') === (b?.bodySha256 ?? '')
  const [aText, bText] = [textOf(aBytes), textOf(bBytes)]
  if (aText === undefined || bText === undefined) return { mode: 'bytes', equal, tooLarge: false, changes: [] }
  const [aJson, bJson] = [jsonOf(a, aText), jsonOf(b, bText)]
  if (aJson && bJson) {
    const changes: Change[] = []
    const parts = { left: equal ? 0 : MAX_PARTS }
    if (!equal) compareJson('', aJson.value, bJson.value, changes, parts)
    const tooLarge = parts.left < 0
    return { mode: 'json', equal: changes.length === 0 && !tooLarge, tooLarge, changes }
  }
  return { mode: 'text', equal, tooLarge: false, changes: equal ? [] : diffLines(aText.split('\n'), bText.split('\n')) }
}

const textOf = (bytes: Buffer): string | undefined => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

const jsonOf = (answer: Answer | null, text: string): { value: unknown } | undefined => {
  if (!/json/.test(answer?.mediaType ?? '') && !/^\s{0,100}[{[]/.test(text)) return undefined
  try {
    return { value: JSON.parse(text) as unknown }
  } catch {
    return undefined
  }
}

/** Objects by their keys, lists by their places; the order of keys says nothing. */
const compareJson = (path: string, a: unknown, b: unknown, changes: Change[], parts: { left: number }): void => {
  if (changes.length >= MAX_CHANGES || parts.left-- <= 0 || a === b) return
  if (!isCompound(a) || !isCompound(b) || Array.isArray(a) !== Array.isArray(b)) {
    if (a === undefined) changes.push({ kind: 'added', path, a: null, b: shown(b) })
    else if (b === undefined) changes.push({ kind: 'removed', path, a: shown(a), b: null })
    else changes.push({ kind: 'changed', path, a: shown(a), b: shown(b) })
    return
  }
  const [one, other] = [a as Record<string, unknown>, b as Record<string, unknown>]
  for (const key of new Set([...Object.keys(one), ...Object.keys(other)])) {
    compareJson(`${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`, own(one, key), own(other, key), changes, parts)
  }
}

const own = (object: Record<string, unknown>, key: string): unknown => (Object.hasOwn(object, key) ? object[key] : undefined)
const isCompound = (value: unknown): value is object => typeof value === 'object' && value !== null
const shown = (value: unknown): string => JSON.stringify(value).slice(0, MAX_SHOWN)

/**
 * What stands between the first and the last line that differ, line by line: bounded, and good for answers that mostly
 * agree.
 */
const diffLines = (a: readonly string[], b: readonly string[]): Change[] => {
  let start = 0
  while (start < a.length && start < b.length && a[start] === b[start]) start++
  let end = 0
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end++
  const [from, to] = [a.slice(start, a.length - end), b.slice(start, b.length - end)]
  return Array.from({ length: Math.min(MAX_CHANGES, Math.max(from.length, to.length)) }, (_, index): Change => {
    const [before, after] = [from[index], to[index]]
    const path = String(start + index + 1)
    if (before === undefined) return { kind: 'added', path, a: null, b: (after as string).slice(0, MAX_SHOWN) }
    if (after === undefined) return { kind: 'removed', path, a: before.slice(0, MAX_SHOWN), b: null }
    return { kind: 'changed', path, a: before.slice(0, MAX_SHOWN), b: after.slice(0, MAX_SHOWN) }
  }).filter(({ a: before, b: after }) => before !== after)
}
