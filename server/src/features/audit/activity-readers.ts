import type { Scope } from '@sortie/contract/scopes.ts'
import { type SqlBool, sql } from 'kysely'
import type { Actor } from '../../platform/auth/actor.ts'

/** What entries can be about, by who is shown them. */
interface Readable {
  reader: Scope | 'everybody' | 'people'
  /** Nouns of actions; of ended work the kinds of work. */
  nouns: readonly string[]
  /** The field of an entry about a file that names what the file hangs on. */
  fileOf?: string
  /** How the ids of its objects begin, where not everybody is told their names. */
  prefixes?: readonly string[]
}

/** An engagement's activity. What is not named here is shown to nobody; only the names of other objects are told to everybody who sees them. */
const READABLE: readonly Readable[] = [
  { reader: 'everybody', nouns: ['engagement', 'clone'], fileOf: 'engagementId' },
  { reader: 'people', nouns: ['view'] },
  {
    reader: 'targets:read',
    nouns: ['target', 'targets', 'scope-rule', 'scope-rules', 'result', 'results', 'import', 'import-undo', 'scan', 'scan-schedule', 'operation'],
    fileOf: 'resultId',
    prefixes: ['tgt', 'scp', 'res', 'scn', 'sch'],
  },
  { reader: 'tasks:read', nouns: ['task', 'tasks', 'comment', 'methodology'], fileOf: 'taskId', prefixes: ['tsk', 'mth'] },
  { reader: 'wiki:read', nouns: ['page', 'wiki'], fileOf: 'pageId', prefixes: ['wik'] },
  {
    reader: 'api-requests:read',
    nouns: ['api-request', 'api-requests', 'request-folder', 'request-run', 'request-sequence', 'environment'],
    fileOf: 'requestId',
    prefixes: ['req', 'fld', 'env', 'seq'],
  },
]

const isReader = (actor: Actor, { reader }: Readable): boolean =>
  reader === 'everybody' || (reader === 'people' ? actor.kind === 'user' : actor.scopes.has(reader))

/** Whether a row of `audit_entries` is about what the caller's scopes read. */
export const isReadable = (actor: Actor) => {
  const shown = READABLE.filter((readable) => isReader(actor, readable))
  const noun = sql`case when action = 'work.ended' then object_type else split_part(action, '.', 1) end`
  return sql<SqlBool>`(${noun} = any(${shown.flatMap(({ nouns }) => nouns)}::text[])
    or object_type = 'file' and coalesce(after, before) ?| ${shown.flatMap(({ fileOf }) => fileOf ?? [])}::text[])`
}

/** Whether a reader may be told the name of an object. */
export const mayReadName = (actor: Actor, id: string): boolean => {
  const about = READABLE.find(({ prefixes }) => prefixes?.includes(id.slice(0, 3)))
  return about === undefined || isReader(actor, about)
}
