import type { ActivityEntry } from '@sortie/contract/engagement-activity.ts'
import type { Scope } from '@sortie/contract/scopes.ts'
import type { Static } from 'typebox'
import type { Actor } from '../../platform/auth/actor.ts'
import type { Database } from '../../platform/database/open.ts'
import { type ActivityRow, findObjectNames } from './audit.queries.ts'
import { nameIn, OWN_NAMES } from './object-names.ts'

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

/** Entries as this reader is shown them, with what their objects are called: then, or where an entry does not say it, now. */
export const showActivity = async (db: Database, actor: Actor, rows: readonly ActivityRow[]): Promise<Static<typeof ActivityEntry>[]> => {
  const mayRead = (id: string) => {
    const scope = SCOPES[id.slice(0, 3)]
    return scope === undefined || actor.scopes.has(scope)
  }
  const wanted = rows.flatMap((row) => (nameIn(row, OWN_NAMES) === undefined ? (namedBy(row) ?? []) : []))
  const names = await findObjectNames(db, actor.organizationId, [...new Set(wanted)].filter(mayRead))
  return rows.map((row) => ({
    id: row.id,
    createdAt: row.created_at,
    actor: { type: row.actor_type as 'user' | 'key' | 'system', id: row.actor_id, name: row.actor_name },
    action: row.action,
    object: { type: row.object_type, id: row.object_id, name: nameIn(row, OWN_NAMES) ?? names.get(namedBy(row) ?? '') ?? null },
    before: row.before as Record<string, unknown> | null,
    after: row.after as Record<string, unknown> | null,
  }))
}

/** The object that an entry is called by: a comment by its task. */
const namedBy = ({ object_id, before, after }: ActivityRow): string | undefined => {
  const { taskId } = { ...(before as object | null), ...(after as object | null) } as { taskId?: unknown }
  return typeof taskId === 'string' ? taskId : (object_id ?? undefined)
}
