import { closedObject, Id } from '@sortie/contract/core/endpoint.ts'
import * as lists from '@sortie/contract/core/lists.ts'
import type { Kysely } from 'kysely'
import pg from 'pg'
import type { Actor } from '../../../src/platform/auth/actor.ts'
import type { Database } from '../../../src/platform/database/connection/open.ts'
import { enableRowLevelSecurity } from '../../../src/platform/database/scope/row-level-security.ts'
import { EVERY_ENGAGEMENT } from '../../../src/platform/database/scope/tenant-scope.ts'
import type { Engagements } from '../../../src/platform/database/types.gen.ts'
import { newId } from '../../../src/platform/ids.ts'
import * as filters from '../../../src/platform/lists/filters.ts'
import { byId, listQuery, nullsLast } from '../../../src/platform/lists/list.ts'
import { createLogger } from '../../../src/platform/log.ts'
import type { TestApp } from '../app/test-app.ts'

/** A table as features have them, with every kind of column that lists sort and filter by. */
const TABLE = `
  create table things (
    id text collate "C" primary key,
    organization_id text collate "C" not null references organizations (id),
    engagement_id text collate "C",
    name text collate names not null,
    kind text collate "C" not null,
    severity text collate "C",
    severity_weight smallint not null generated always as (case severity when 'low' then 1 when 'high' then 2 else 0 end) stored,
    owner_id text collate "C",
    port integer not null,
    tags text[] not null default '{}',
    due_on date,
    seen_at timestamptz(3),
    order_key text collate "C" not null,
    position text collate "C" not null,
    foreign key (organization_id, engagement_id) references engagements (organization_id, id) on delete cascade
  );
  create index things_id on things (organization_id, engagement_id, id);
  create index things_seen on things (organization_id, engagement_id, (coalesce(seen_at, 'infinity')), id);
  create index things_position on things (organization_id, engagement_id, position, id);
  create index things_kind on things (organization_id, engagement_id, kind, id);
  create index things_weight on things (organization_id, engagement_id, severity_weight, id);
  create index things_key on things (organization_id, engagement_id, order_key, id);
`

export interface Thing {
  id: string
  organization_id: string
  engagement_id: string | null
  name: string
  kind: string
  severity: string | null
  owner_id: string | null
  port: number
  tags: string[]
  due_on: string | null
  seen_at: string | null
  order_key: string
  position: string
}

interface ThingRow extends Thing {
  severity_weight: number
}

/** The contract of the list. */
export const thingContract = lists.declareList({
  name: 'things',
  item: closedObject({ id: Id('fil') }),
  sorts: ['createdAt', 'name', 'dueOn', 'seenAt', 'severity', 'orderKey'],
  positioned: true,
  filters: {
    engagementId: lists.OneId('eng'),
    kind: lists.AnyOf(['host', 'service', 'url']),
    severity: lists.AnyOf(['low', 'high'], { orNone: true }),
    ownerId: lists.AnyId('usr', { orNone: true, orMe: true }),
    port: lists.AnyInteger(0, 65_535),
    tag: lists.AnyText(64),
    seenSince: lists.DayOrTime('seen from then on'),
    dueBefore: lists.DayOrTime('due earlier'),
    q: lists.PartOfText('part of the name or of a tag'),
    organization: lists.OrganizationFlag,
  },
  facets: ['kind', 'severity', 'ownerId', 'tag'],
})

/** Its queries. */
export const thingList = listQuery(thingContract, {
  rows: (db, organizationId) =>
    (db as unknown as Kysely<{ things: ThingRow }>)
      .selectFrom('things as t')
      .selectAll('t')
      .where('t.organization_id', '=', organizationId),
  id: 't.id',
  engagementId: 't.engagement_id',
  sorts: {
    createdAt: byId,
    name: 't.name',
    dueOn: nullsLast('t.due_on'),
    seenAt: nullsLast('t.seen_at'),
    severity: 't.severity_weight',
    orderKey: 't.order_key',
    position: 't.position',
  },
  filters: {
    kind: filters.anyOf('t.kind'),
    severity: filters.anyOfOrNone('t.severity'),
    ownerId: filters.anyOfOrNone('t.owner_id'),
    port: filters.anyOf('t.port'),
    tag: filters.anyIn('t.tags'),
    seenSince: filters.since('t.seen_at'),
    dueBefore: filters.before('t.due_on'),
    q: filters.contains('t.name', filters.joined('t.tags')),
    organization: filters.isNull('t.engagement_id'),
  },
})

/** Makes the table, with row-level security like any other. */
export const createThings = async ({ settings, asSuperuser }: TestApp): Promise<void> => {
  await asSuperuser(TABLE)
  const client = new pg.Client(settings)
  await client.connect()
  try {
    await enableRowLevelSecurity(client, createLogger('silent'))
  } finally {
    await client.end()
  }
}

export const things = (db: Database) => db as unknown as Kysely<{ things: Thing }>

/** An actor who sees every engagement of an organization. */
export const actorOf = (
  organizationId: string,
  kind: Actor['kind'] = 'user',
  id = 'usr_00000000000000000000000001',
): Actor => ({
  kind,
  id,
  name: 'Someone',
  organizationId,
  scopes: new Set(),
  viewer: EVERY_ENGAGEMENT,
  address: '127.0.0.1',
})

/** @returns its id */
export const insertEngagement = async (
  db: Database,
  organizationId: string,
  status: Engagements['status'] = 'active',
): Promise<string> => {
  const id = newId('eng')
  const now = '2026-01-01T00:00:00.000Z'
  await db
    .insertInto('engagements')
    .values({
      id,
      organization_id: organizationId,
      name: id,
      description: '',
      status,
      created_at: now,
      updated_at: now,
      details_updated_at: now,
    })
    .execute()
  return id
}
