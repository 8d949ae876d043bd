import type { Reply } from '@sortie/contract/core/endpoint.ts'
import type { diffRequestRuns } from '@sortie/contract/requests/request-runs.ts'

export type Diff = Reply<typeof diffRequestRuns>['data']
type BodyChange = Diff['body']['changes'][number]

/** A stored response. */
export interface Answer {
  status: number
  headers: readonly { name: string; value: string }[]
  mediaType: string | null
  bodySha256: string
}

/** The response of each run, with the stored part of its body. */
export interface CompareTask {
  a: { answer: Answer | null; body: Uint8Array }
  b: { answer: Answer | null; body: Uint8Array }
}

const MAX_CHANGES = 1_000
const MAX_SHOWN = 1_000
/** Limit of compared JSON values; about as many as 1 MiB of the smallest ones has, in 50 ms. */
const MAX_PARTS = 200_000
/** Limit of JSON levels that are compared, and that a value is displayed with. */
const MAX_DEPTH = 200

/**
 * Runs in a thread that is terminated after a time limit: half a million brackets take most of a second to parse
 * (finding T12).
 */
export const compareAnswers = ({ a, b }: CompareTask): Diff => {
  const status = { a: a.answer?.status ?? null, b: b.answer?.status ?? null }
  return {
    status: { ...status, equal: status.a === status.b },
    headers: diffHeaders(a.answer?.headers ?? [], b.answer?.headers ?? []),
    body: diffBodies(a.answer, b.answer, a.body, b.body),
  }
}
const diffHeaders = (a: Answer['headers'], b: Answer['headers']): Diff['headers'] => {
  const names = [...new Set([...a, ...b].map(({ name }) => name.toLowerCase()))].toSorted()
  const values = (headers: Answer['headers'], wanted: string) =>
    headers.flatMap(({ name, value }) => (name.toLowerCase() === wanted ? [value] : []))
  const changes = names
    .map((name) => ({ name, a: values(a, name), b: values(b, name) }))
    .filter((change) => change.a.join('\n') !== change.b.join('\n'))
  return { equal: changes.length === 0, changes }
}

const diffBodies = (a: Answer | null, b: Answer | null, aBytes: Uint8Array, bBytes: Uint8Array): Diff['body'] => {
  const equal = (a?.bodySha256 ?? '') === (b?.bodySha256 ?? '')
  const [aText, bText] = [textOf(aBytes), textOf(bBytes)]
  if (aText === undefined || bText === undefined) return { mode: 'bytes', equal, tooLarge: false, changes: [] }
  const [aJson, bJson] = [jsonOf(a, aText), jsonOf(b, bText)]
  if (aJson && bJson) {
    const changes: BodyChange[] = []
    const parts = { left: MAX_PARTS, areTooDeep: false }
    if (!equal) compareJson('', 0, aJson.value, bJson.value, changes, parts)
    const tooLarge = parts.left < 0 || parts.areTooDeep
    return { mode: 'json', equal: changes.length === 0 && !tooLarge, tooLarge, changes }
  }
  return { mode: 'text', equal, tooLarge: false, changes: equal ? [] : diffLines(aText.split('\n'), bText.split('\n')) }
}

const textOf = (bytes: Uint8Array): string | undefined => {
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

interface Parts {
  left: number
  areTooDeep: boolean
}

/** Compares objects by key and lists by index; ignores the order of keys. */
const compareJson = (
  path: string,
  depth: number,
  a: unknown,
  b: unknown,
  changes: BodyChange[],
  parts: Parts,
): void => {
  if (changes.length >= MAX_CHANGES || parts.left-- <= 0 || a === b) return
  if (depth > MAX_DEPTH) {
    parts.areTooDeep = true
    return
  }
  if (!isCompound(a) || !isCompound(b) || Array.isArray(a) !== Array.isArray(b)) {
    if (a === undefined) changes.push({ kind: 'added', path, a: null, b: shown(b) })
    else if (b === undefined) changes.push({ kind: 'removed', path, a: shown(a), b: null })
    else changes.push({ kind: 'changed', path, a: shown(a), b: shown(b) })
    return
  }
  const [one, other] = [a as Record<string, unknown>, b as Record<string, unknown>]
  for (const key of new Set([...Object.keys(one), ...Object.keys(other)])) {
    compareJson(pathBelow(path, key), depth + 1, own(one, key), own(other, key), changes, parts)
  }
}

/** Builds a JSON Pointer (RFC 6901), cut to a readable length; values below a cut path share it. */
const pathBelow = (path: string, key: string): string => {
  if (path.length > MAX_SHOWN) return path
  const below = `${path}/${key.slice(0, MAX_SHOWN).replaceAll('~', '~0').replaceAll('/', '~1')}`
  return below.length > MAX_SHOWN ? `${below.slice(0, MAX_SHOWN).toWellFormed()}…` : below
}

const own = (object: Record<string, unknown>, key: string): unknown =>
  Object.hasOwn(object, key) ? object[key] : undefined
const isCompound = (value: unknown): value is object => typeof value === 'object' && value !== null

/** Formats a value as JSON, cut for display; deeper levels become `…`. */
const shown = (value: unknown): string => JSON.stringify(withinDepth(value, 0, { left: MAX_SHOWN })).slice(0, MAX_SHOWN)

/** Each value needs at least one character, so no more values than characters are visited. */
const withinDepth = (value: unknown, depth: number, parts: { left: number }): unknown => {
  parts.left--
  if (!isCompound(value)) return value
  if (depth > MAX_DEPTH) return '…'
  if (Array.isArray(value)) {
    const list: unknown[] = []
    for (const each of value) {
      if (parts.left <= 0) break
      list.push(withinDepth(each, depth + 1, parts))
    }
    return list
  }
  const entries: [string, unknown][] = []
  for (const key in value) {
    if (parts.left <= 0) break
    entries.push([key, withinDepth((value as Record<string, unknown>)[key], depth + 1, parts)])
  }
  return Object.fromEntries(entries)
}

/**
 * Compares the lines between the first and the last difference one by one: bounded, and good for mostly equal
 * responses.
 */
const diffLines = (a: readonly string[], b: readonly string[]): BodyChange[] => {
  let start = 0
  while (start < a.length && start < b.length && a[start] === b[start]) start++
  let end = 0
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end++
  const [from, to] = [a.slice(start, a.length - end), b.slice(start, b.length - end)]
  return Array.from({ length: Math.min(MAX_CHANGES, Math.max(from.length, to.length)) }, (_, index): BodyChange => {
    const [before, after] = [from[index], to[index]]
    const path = String(start + index + 1)
    if (before === undefined) return { kind: 'added', path, a: null, b: (after as string).slice(0, MAX_SHOWN) }
    if (after === undefined) return { kind: 'removed', path, a: before.slice(0, MAX_SHOWN), b: null }
    return { kind: 'changed', path, a: before.slice(0, MAX_SHOWN), b: after.slice(0, MAX_SHOWN) }
  }).filter(({ a: before, b: after }) => before !== after)
}
