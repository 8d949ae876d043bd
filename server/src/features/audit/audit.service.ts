import type { Insertable } from 'kysely'
import type { Actor, Person } from '../../platform/auth/actor.ts'
import type { Clock } from '../../platform/clock.ts'
import { isoTime } from '../../platform/clock.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import type { AuditEntries } from '../../platform/database/types.gen.ts'
import { announce } from '../../platform/events/announce.ts'
import { newId } from '../../platform/ids.ts'
import { incrementAuditEpoch, insertAuditEntry } from './audit.queries.ts'

export interface AuditedChange {
  /** Noun and past participle: `member.invited`. */
  action: string
  object: { type: string; id: string }
  /** The engagement whose activity it belongs to, unless the object is an engagement itself. */
  engagementId?: string
  /** The changed fields, never a secret. */
  before?: Record<string, unknown>
  after?: Record<string, unknown>
}

/** Actors other than a key or a signed-in member: an operator's command, a job, a user outside of organizations. */
export type AuditedBy =
  | Actor
  | { person: Pick<Person, 'userId' | 'name' | 'address'>; organizationId?: string }
  | { system: string; organizationId?: string; address?: string }

/** The database was restored: what it records from now on comes after everything that it has. */
export const startAuditEpoch = (tx: Transaction): Promise<void> => incrementAuditEpoch(tx)

/** Records who changed what, in the transaction that changes it. */
export const recordAudit = async (
  tx: Transaction,
  by: AuditedBy,
  clock: Clock,
  change: AuditedChange,
): Promise<void> => {
  await addAuditEntry(tx, by, clock, change)
}

/** Records a change. @returns the id of the entry */
export const addAuditEntry = async (
  tx: Transaction,
  by: AuditedBy,
  clock: Clock,
  change: AuditedChange,
): Promise<string> => {
  const now = clock.now()
  const id = newId('aud', now)
  const actor = describeActor(by)
  await insertAuditEntry(tx, {
    id,
    ...actor,
    action: change.action,
    object_type: change.object.type,
    object_id: change.object.id,
    about_engagement_id: change.engagementId ?? null,
    before: change.before ? JSON.stringify(change.before) : null,
    after: change.after ? JSON.stringify(change.after) : null,
    created_at: isoTime(now),
  })
  await announceSetting(tx, change.object.type, actor.organization_id)
  return id
}

/**
 * Objects of an organization whose changes have no event of their own. Members learn that one of them changed, not
 * which.
 */
const SETTINGS: ReadonlySet<string> = new Set([
  'agent',
  'api-key',
  'client',
  'device-login',
  'domain',
  'field-definition',
  'invitation',
  'methodology',
  'organization',
  'report-template',
  'repository',
  'view',
  'webhook-endpoint',
])

const announceSetting = async (tx: Transaction, type: string, organizationId: string | null): Promise<void> => {
  if (organizationId === null || !SETTINGS.has(type)) return
  await announce(tx, { type: 'setting', engagementId: null, ids: 'many', change: 'updated', organizationId })
}

interface DescribedActor extends Omit<Insertable<AuditEntries>, 'id' | 'action' | 'object_type' | 'created_at'> {
  organization_id: string | null
}

const describeActor = (by: AuditedBy): DescribedActor => {
  if ('kind' in by) {
    return {
      organization_id: by.organizationId,
      actor_type: by.agent ? 'agent' : by.kind,
      actor_id: by.agent?.id ?? by.id,
      actor_name: by.name,
      actor_environment: by.environment ?? null,
      address: by.address,
    }
  }
  const organization_id = by.organizationId ?? null
  if ('person' in by) {
    const { person } = by
    return {
      organization_id,
      actor_type: 'user',
      actor_id: person.userId,
      actor_name: person.name,
      actor_environment: null,
      address: person.address,
    }
  }
  return {
    organization_id,
    actor_type: 'system',
    actor_id: null,
    actor_name: by.system,
    actor_environment: null,
    address: by.address ?? null,
  }
}
