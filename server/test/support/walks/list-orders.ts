import fc from 'fast-check'
import { sql } from 'kysely'
import type { Database } from '../../../src/platform/database/connection/open.ts'

/** The order of each sort, as SQL that does not come from the code under test. */
const ORDERS = {
  createdAt: { asc: 'id', desc: 'id desc' },
  name: { asc: 'name, id', desc: 'name desc, id desc' },
  dueOn: { asc: 'due_on nulls last, id', desc: 'due_on desc nulls first, id desc' },
  seenAt: { asc: 'seen_at nulls last, id', desc: 'seen_at desc nulls first, id desc' },
  severity: { asc: 'severity_weight, id', desc: 'severity_weight desc, id desc' },
  orderKey: { asc: 'order_key, id', desc: 'order_key desc, id desc' },
  position: { asc: 'position, id', desc: 'position desc, id desc' },
} as const
type Sort = keyof typeof ORDERS
export const SORTS = Object.keys(ORDERS) as Sort[]

/** Ids of all rows of `things`, as Postgres orders them. */
export const orderedBy = async (db: Database, sort: Sort, order: 'asc' | 'desc'): Promise<string[]> => {
  const { rows } = await sql<{
    id: string
  }>`select id from things order by ${sql.join(ORDERS[sort][order].split(', ').map(toOrder), sql`, `)}`.execute(db)
  return rows.map(({ id }) => id)
}
/** `due_on desc nulls first`, built from known parts. */
const toOrder = (text: string) => {
  const [column = '', ...rest] = text.split(' ')
  return sql`${sql.ref(column)} ${rest[0] === 'desc' ? sql`desc` : sql`asc`} ${text.includes('nulls first') ? sql`nulls first` : sql`nulls last`}`
}

const NAMES = [
  'alpha',
  'Alpha',
  'ALPHA',
  'älpha',
  'Zulu',
  'zulu',
  '',
  '😀'.repeat(200),
  `${'😀'.repeat(199)}x`,
  '%',
  'a.b',
]
export const anyThing = fc.record({
  name: fc.constantFrom(...NAMES),
  due_on: fc.constantFrom(null, '2026-01-01', '2026-01-02'),
  seen_at: fc.constantFrom(null, '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.001Z'),
  severity: fc.constantFrom(null, 'low', 'high'),
  order_key: fc.constantFrom('a', 'B', 'aa', 'ä', '.', 'x'.repeat(400)),
  position: fc.constantFrom('a0', 'a1', 'Zz'),
})
export const anyChange = fc.oneof(
  fc.record({ kind: fc.constant('add' as const), row: anyThing }),
  fc.record({ kind: fc.constant('delete' as const), at: fc.nat(100) }),
  fc.record({ kind: fc.constant('touch' as const), at: fc.nat(100) }),
)
