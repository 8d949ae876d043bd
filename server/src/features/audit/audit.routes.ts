import * as contract from '@sortie/contract/organization/audit.ts'
import type { Selectable } from 'kysely'
import { EVERY_ENGAGEMENT } from '../../platform/database/scope/tenant-scope.ts'
import type { AuditEntries } from '../../platform/database/types.gen.ts'
import { badRequest, forbidden } from '../../platform/errors.ts'
import { readPage } from '../../platform/http/answers/pages.ts'
import { type Route, route } from '../../platform/http/routes/route.ts'
import { isId } from '../../platform/ids.ts'
import { exportAuditEntries } from './audit-export.ts'
import {
  findObjectNames,
  listAuditActions,
  listAuditActors,
  listAuditEntries,
  listAuditLog,
  type LogFilter,
  type LogPosition,
} from './audit.queries.ts'
import { recordAudit } from './audit.service.ts'
import { namedBy, nameIn, OWN_NAMES } from './object-names.ts'

export const auditRoutes: Route[] = [
  route(contract.listAuditEntries, async ({ db, actor, query }) => {
    const read = (before: string | undefined, limit: number) =>
      listAuditEntries(db, actor.organizationId, { ...filterOf(query), before }, limit)
    const { rows, meta } = await readPage(query, 'aud', read, ({ id }) => id)
    const names = await findObjectNames(db, actor.organizationId, unnamed(rows))
    return { data: rows.map((row) => toAuditEntry(row, names)), meta }
  }),

  route(contract.listAuditLogs, async ({ db, actor, query }) => {
    // It names what happens in engagements that only their team sees.
    if (actor.viewer !== EVERY_ENGAGEMENT || actor.ownerRole === 'member') throw forbidden(READERS)
    const after = query.cursor === undefined ? undefined : positionOf(query.cursor)
    const { rows, meta } = await readPage(
      query,
      undefined,
      (_cursor, limit) => listAuditLog(db, actor.organizationId, filterOf(query), after, limit),
      toCursor,
    )
    const names = await findObjectNames(db, actor.organizationId, unnamed(rows))
    const data = rows.map((row) => ({ ...toAuditEntry(row, names), cursor: toCursor(row) }))
    return query.format === 'jsonl' ? linesOf(data) : { data, meta }
  }),

  route(contract.listAuditFilters, async ({ db, actor }) => {
    const [actions, actors] = await Promise.all([
      listAuditActions(db, actor.organizationId),
      listAuditActors(db, actor.organizationId),
    ])
    return { data: { actions, actors } }
  }),

  route(contract.exportAuditEntries, async ({ db, change, clock, actor, query }) => {
    const filter = filterOf(query)
    await change((tx) =>
      recordAudit(tx, actor, clock, {
        action: 'audit.exported',
        object: { type: 'organization', id: actor.organizationId },
        after: { filteredBy: Object.keys(query) },
      }),
    )
    return exportAuditEntries(db, actor.organizationId, filter)
  }),

  route(contract.listInstanceAuditEntries, async ({ db, query }) => {
    const read = (before: string | undefined, limit: number) =>
      listAuditEntries(db, null, { ...filterOf(query), before }, limit)
    const { rows, meta } = await readPage(query, 'aud', read, ({ id }) => id)
    return { data: rows.map((row) => toAuditEntry(row, new Map())), meta }
  }),

  route(contract.exportInstanceAuditEntries, async ({ db, change, clock, person, query }) => {
    await change((tx) =>
      recordAudit(tx, { person }, clock, {
        action: 'audit.exported',
        object: { type: 'instance', id: 'instance' },
        after: { filteredBy: Object.keys(query) },
      }),
    )
    return exportAuditEntries(db, null, filterOf(query))
  }),
]

const READERS = 'Only keys of the owner and admins that see every engagement may read the audit log.'

/** An answer that is a document is written as it is generated. */
async function* linesOf(entries: readonly object[]): AsyncGenerator<string> {
  for (const entry of entries) yield `${JSON.stringify(entry)}\n`
}

const toCursor = ({ epoch, transaction, id }: LogPosition): string => `${epoch}.${transaction}.${id}`

const CURSOR = /^([0-9]{1,9})\.([0-9]{1,15})\.(aud_[0-9a-z]{26})$/

/** @throws ApiError BAD_REQUEST */
const positionOf = (cursor: string): LogPosition => {
  const [, epoch, transaction = '', id] = CURSOR.exec(cursor) ?? []
  if (id === undefined || !isId('aud', id)) throw badRequest('cursor: must be a cursor of this list')
  return { epoch: Number(epoch), transaction, id }
}

const filterOf = ({
  action,
  actorId,
  objectId,
  from,
  to,
}: Omit<LogFilter, 'objectId'> & Partial<Pick<LogFilter, 'objectId'>>): LogFilter => ({
  action,
  actorId,
  objectId,
  from,
  to,
})

type Row = Selectable<AuditEntries>

/** The objects whose entries do not contain a name. */
const unnamed = (rows: readonly Row[]): string[] => [
  ...new Set(
    rows
      .filter((row) => nameIn(row, OWN_NAMES) === undefined)
      .flatMap((row) => [row.object_id ?? [], namedBy(row) ?? []].flat()),
  ),
]

/** Fields that describe an object without a name. */
const DESCRIBED_BY = ['email', 'url', 'host', 'body'] as const
const MAX_DESCRIPTION = 200

const toAuditEntry = (row: Row, names: ReadonlyMap<string, string>) => ({
  id: row.id,
  createdAt: row.created_at,
  actor: { type: row.actor_type, id: row.actor_id, name: row.actor_name, environment: row.actor_environment },
  action: row.action,
  object: {
    type: row.object_type,
    id: row.object_id,
    name:
      nameIn(row, OWN_NAMES) ??
      names.get(row.object_id ?? '') ??
      nameIn(row, DESCRIBED_BY)?.slice(0, MAX_DESCRIPTION) ??
      names.get(namedBy(row) ?? '') ??
      null,
  },
  address: row.address,
  before: row.before as Record<string, unknown> | null,
  after: row.after as Record<string, unknown> | null,
})
