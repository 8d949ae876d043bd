import type { Scope } from '@sortie/contract/core/scopes.ts'
import { type SqlBool, sql } from 'kysely'
import type { Actor } from '../../platform/auth/actor.ts'

/** Types of entries that one group of readers sees. */
interface Readable {
  reader: Scope | 'everyone' | 'people'
  /** Nouns of actions; for jobs that ended, the kinds of jobs. */
  nouns: readonly string[]
  /** For an entry about a file: the field with the id of the file's owner. */
  fileOf?: string
  /** Id prefixes of its objects, if their names are visible only to these readers. */
  prefixes?: readonly string[]
}

/**
 * Readers of an engagement's activity. Entries not listed here are hidden; names of other objects are visible to
 * everyone who sees an entry.
 */
const READABLE: readonly Readable[] = [
  { reader: 'everyone', nouns: ['engagement', 'clone'], fileOf: 'engagementId' },
  { reader: 'people', nouns: ['view'] },
  {
    reader: 'targets:read',
    nouns: [
      'target',
      'targets',
      'scope-rule',
      'scope-rules',
      'result',
      'results',
      'import',
      'import-undo',
      'result-comment',
      'scan',
      'scan-schedule',
      'operation',
    ],
    fileOf: 'resultId',
    prefixes: ['tgt', 'scp', 'res', 'scn', 'sch'],
  },
  {
    reader: 'tasks:read',
    nouns: ['task', 'tasks', 'comment', 'methodology'],
    fileOf: 'taskId',
    prefixes: ['tsk', 'mth'],
  },
  { reader: 'wiki:read', nouns: ['page', 'wiki'], fileOf: 'pageId', prefixes: ['wik'] },
  {
    reader: 'reports:read',
    nouns: [
      'finding',
      'findings',
      'finding-suggestion',
      'library-entry',
      'retest',
      'retest-item',
      'finding-comment',
      'affected-asset',
      'affected-assets',
      'report-settings',
      'report-template',
    ],
    fileOf: 'findingId',
    prefixes: ['fnd', 'aff', 'lib', 'rts', 'rti', 'rtp'],
  },
  { reader: 'reports:read', nouns: ['report', 'report-comment'], fileOf: 'reportId', prefixes: ['rpt', 'sec'] },
  {
    reader: 'api-requests:read',
    nouns: ['api-request', 'api-requests', 'request-folder', 'request-run', 'request-sequence', 'environment'],
    fileOf: 'requestId',
    prefixes: ['req', 'fld', 'env', 'seq'],
  },
]

const isReader = (actor: Actor, { reader }: Readable): boolean =>
  reader === 'everyone' || (reader === 'people' ? actor.kind === 'user' : actor.scopes.has(reader))

/** SQL condition: the caller's scopes read this row of `audit_entries`. */
export const isReadable = (actor: Actor) => {
  const shown = READABLE.filter((readable) => isReader(actor, readable))
  const noun = sql`case when action = 'work.ended' then object_type else split_part(action, '.', 1) end`
  return sql<SqlBool>`(${noun} = any(${shown.flatMap(({ nouns }) => nouns)}::text[])
    or object_type = 'file' and coalesce(after, before) ?| ${shown.flatMap(({ fileOf }) => fileOf ?? [])}::text[])`
}

/** @returns true if the reader may see the name of an object */
export const mayReadName = (actor: Actor, id: string): boolean => {
  const about = READABLE.find(({ prefixes }) => prefixes?.includes(id.slice(0, 3)))
  return about === undefined || isReader(actor, about)
}
