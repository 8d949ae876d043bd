import type { Scope } from '@sortie/contract/scopes.ts'
import { type SqlBool, sql } from 'kysely'
import type { Actor } from '../../platform/auth/actor.ts'

type Reader = Scope | 'everybody' | 'people'

/**
 * Who is shown an entry of an engagement's activity, by what it is about: the noun of its action, of ended work the kind of
 * work. What is not named here is shown to nobody.
 */
const READERS: Readonly<Record<string, Reader>> = {
  engagement: 'everybody',
  clone: 'everybody',
  target: 'targets:read',
  targets: 'targets:read',
  'scope-rule': 'targets:read',
  'scope-rules': 'targets:read',
  result: 'targets:read',
  results: 'targets:read',
  import: 'targets:read',
  'import-undo': 'targets:read',
  scan: 'targets:read',
  'scan-schedule': 'targets:read',
  operation: 'targets:read',
  task: 'tasks:read',
  tasks: 'tasks:read',
  comment: 'tasks:read',
  methodology: 'tasks:read',
  page: 'wiki:read',
  wiki: 'wiki:read',
  'api-request': 'api-requests:read',
  'api-requests': 'api-requests:read',
  'request-folder': 'api-requests:read',
  'request-run': 'api-requests:read',
  'request-sequence': 'api-requests:read',
  environment: 'api-requests:read',
  view: 'people',
}

/** The same of files, by the field of an entry that names what a file hangs on. */
const FILE_READERS: Readonly<Record<string, Reader>> = {
  engagementId: 'everybody',
  resultId: 'targets:read',
  taskId: 'tasks:read',
  pageId: 'wiki:read',
  requestId: 'api-requests:read',
}

/** Whether a row of `audit_entries` is about what the caller's scopes read. */
export const isReadable = (actor: Actor) => {
  const isReader = (reader: Reader) => reader === 'everybody' || (reader === 'people' ? actor.kind === 'user' : actor.scopes.has(reader))
  const of = (readers: Readonly<Record<string, Reader>>) => Object.keys(readers).filter((about) => isReader(readers[about] as Reader))
  const noun = sql`case when action = 'work.ended' then object_type else split_part(action, '.', 1) end`
  return sql<SqlBool>`(${noun} = any(${of(READERS)}::text[])
    or object_type = 'file' and coalesce(after, before) ?| ${of(FILE_READERS)}::text[])`
}

/** What a reader needs to be told the name of an object, by how its id begins; others are named to everybody who sees them. */
const SCOPES: Readonly<Record<string, Scope>> = {
  tgt: 'targets:read',
  scp: 'targets:read',
  res: 'targets:read',
  scn: 'targets:read',
  sch: 'targets:read',
  tsk: 'tasks:read',
  mth: 'tasks:read',
  wik: 'wiki:read',
  req: 'api-requests:read',
  fld: 'api-requests:read',
  env: 'api-requests:read',
  seq: 'api-requests:read',
}

export const mayReadName = (actor: Actor, id: string): boolean => {
  const scope = SCOPES[id.slice(0, 3)]
  return scope === undefined || actor.scopes.has(scope)
}
