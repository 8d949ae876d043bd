import * as contract from '@sortie/contract/audit.ts'
import type { Selectable } from 'kysely'
import type { AuditEntries } from '../../platform/database/types.gen.ts'
import { badRequest } from '../../platform/errors.ts'
import { type Route, route } from '../../platform/http/context.ts'
import { isId } from '../../platform/ids.ts'
import { listAuditEntries } from './audit.queries.ts'

export const auditRoutes: Route[] = [
  route(contract.listAuditEntries, async ({ db, actor, query }) => {
    const { cursor, perPage, ...filter } = query
    if (cursor !== undefined && !isId('aud', cursor)) throw badRequest('cursor: is not one that this list gave out')
    const filters = { action: filter.action, actorId: filter.actorId, objectId: filter.objectId, from: filter.from, to: filter.to }
    const rows = await listAuditEntries(db, actor.organizationId, { ...filters, before: cursor }, perPage + 1)
    const shown = rows.slice(0, perPage)
    return { data: shown.map(toAuditEntry), meta: { perPage, nextCursor: rows.length > perPage ? (shown.at(-1)?.id ?? null) : null } }
  }),
]

const toAuditEntry = (row: Selectable<AuditEntries>) => ({
  id: row.id,
  createdAt: row.created_at,
  actor: { type: row.actor_type as 'user' | 'key' | 'system', id: row.actor_id, name: row.actor_name, environment: row.actor_environment },
  action: row.action,
  object: { type: row.object_type, id: row.object_id },
  address: row.address,
  before: row.before as Record<string, unknown> | null,
  after: row.after as Record<string, unknown> | null,
})
