import { engagementSummaryList } from '@sortie/contract/engagement/engagement-summaries.ts'
import { sql } from 'kysely'
import type { Database } from '../../platform/database/connection/open.ts'
import { fieldsOf, hasFields } from '../../platform/fields/field-values.ts'
import { anyIn, anyOf, anyOfOrNone, containsFolded, onlyWhere } from '../../platform/lists/filters.ts'
import { byId, listQuery, nullsLast } from '../../platform/lists/list.ts'

const COLUMNS = [
  'e.id',
  'e.name',
  'e.status',
  'e.client_id',
  'e.client_name',
  'e.kind',
  'e.kinds',
  'e.is_template',
  'e.task_prefix',
  'e.starts_on',
  'e.ends_on',
  'e.created_at',
  'e.updated_at',
] as const

const selectSummaries = (db: Database, organizationId: string) =>
  db
    .selectFrom('engagements as e')
    .select([
      ...COLUMNS,
      leadOf(sql<{ id: string; name: string }>`jsonb_build_object('id', m.user_id, 'name', m.name)`).as('lead'),
      fieldsOf('e').as('fields'),
    ])
    .where('e.organization_id', '=', organizationId)

/** Reads a column of the engagement's lead; null without one. */
const leadOf = <T>(expression: ReturnType<typeof sql<T>>) => sql<T | null>`(
  select ${expression} from engagement_members p join memberships m using (organization_id, user_id)
  where p.organization_id = e.organization_id and p.engagement_id = e.id and p.part = 'lead')`

export const summaryList = listQuery(engagementSummaryList, {
  rows: selectSummaries,
  id: 'e.id',
  sorts: {
    createdAt: byId,
    updatedAt: 'e.updated_at',
    name: 'e.name',
    clientName: 'e.client_name',
    status: 'e.status',
    kind: 'e.kind',
    startsOn: nullsLast('e.starts_on'),
    endsOn: nullsLast('e.ends_on'),
  },
  filters: {
    q: containsFolded('e.searched'),
    status: anyOf('e.status'),
    kind: anyIn('e.kinds'),
    template: onlyWhere(sql`e.is_template`),
    clientId: anyOfOrNone('e.client_id'),
    field: hasFields('engagement', 'e'),
    leadId: anyOfOrNone(leadOf(sql<string>`m.user_id`)),
  },
})
