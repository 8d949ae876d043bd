import type { Output } from '@sortie/client/calls.ts'
import { KIND_LABELS, KIND_PLURALS, type Kind } from '../labels.ts'

export type DiffRow = Output<'diffResults'>['data'][number]
export type DiffChange = DiffRow['change']
export type Summary = Output<'diffResults'>['meta']['summary']

export const CHANGE_LABELS: Record<DiffChange, string> = {
  new: 'New',
  changed: 'Changed',
  gone: 'Gone',
  reappeared: 'Reappeared',
}

const WORDS: Record<DiffChange, string> = { new: 'new', changed: 'changed', gone: 'gone', reappeared: 'reappeared' }
const NUMBER = new Intl.NumberFormat('en')

/** `3 new services, 1 gone`; `Nothing changed` */
export const describeSummary = (summary: Summary, kind: Kind | undefined): string => {
  const some = (Object.keys(WORDS) as DiffChange[]).filter((change) => summary[change] > 0)
  if (some.length === 0) return 'Nothing changed.'
  const parts = some.map((change, index) => {
    const count = summary[change]
    const noun = index === 0 ? ` ${nounOf(kind, count)}` : ''
    return change === 'new' ? `${NUMBER.format(count)} new${noun}` : `${NUMBER.format(count)}${noun} ${WORDS[change]}`
  })
  return `${parts.join(', ')}.`
}

/** Abbreviations keep their capitals. */
const nounOf = (kind: Kind | undefined, count: number): string => {
  if (kind === undefined) return count === 1 ? 'result' : 'results'
  const word = count === 1 ? KIND_LABELS[kind] : KIND_PLURALS[kind]
  if (kind === 'http_response') return count === 1 ? 'HTTP response' : 'HTTP responses'
  if (kind === 'dns_record') return count === 1 ? 'DNS record' : 'DNS records'
  return word.toLowerCase()
}

/** Fields of a snapshot, with its data fields on the same level. */
const flattened = (snapshot: Record<string, unknown> | null): Record<string, string> =>
  Object.fromEntries(
    Object.entries(snapshot ?? {}).flatMap(([name, value]) =>
      name === 'data' && value !== null && typeof value === 'object'
        ? Object.entries(value).map(([field, inner]) => [field, written(inner)] as const)
        : [[name, written(value)] as const],
    ),
  )

const written = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

export interface FieldChange {
  name: string
  /** Null: absent before. */
  before: string | null
  /** Null: absent now. */
  after: string | null
}

/** Fields that differ; empty if the result exists on one side only. */
export const fieldChanges = ({ before, after }: Pick<DiffRow, 'before' | 'after'>): FieldChange[] => {
  if (before === null || after === null) return []
  const [old, now] = [flattened(before), flattened(after)]
  return [...new Set([...Object.keys(old), ...Object.keys(now)])]
    .filter((name) => old[name] !== now[name])
    .map((name) => ({ name, before: old[name] ?? null, after: now[name] ?? null }))
}

/** `version: 1.24 → 1.25` */
export const describeFields = (row: DiffRow): string =>
  fieldChanges(row)
    .map(({ name, before, after }) => `${name}: ${before ?? 'nothing'} → ${after ?? 'nothing'}`)
    .join(', ')
