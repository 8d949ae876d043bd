import type { Actor, Person } from '../../platform/auth/actor.ts'
import { type Clock, isoTime } from '../../platform/clock.ts'
import type { Platform } from '../../platform/context.ts'
import { sha256 } from '../../platform/crypto.ts'
import type { RunChange } from '../../platform/database/change.ts'
import { violates } from '../../platform/database/connection/failures.ts'
import type { Database } from '../../platform/database/connection/open.ts'
import { type Transaction, transaction } from '../../platform/database/transaction.ts'
import { conflict, invalid, notFound } from '../../platform/errors.ts'
import { newId } from '../../platform/ids.ts'
import { type JobType, PERSISTENT } from '../../platform/jobs/jobs.ts'
import { recordAudit } from '../audit/audit.service.ts'
import { findUser } from '../auth/accounts/accounts.queries.ts'
import { changeOrganization } from '../organizations/organization-change.service.ts'
import * as query from './code-hosting.queries.ts'
import type { GitHubDelivery } from './github-deliveries.ts'

const MAX_REPOSITORIES = 200
const PAYLOAD_RETENTION_MS = 90 * 24 * 60 * 60 * 1000

/** GitHub is case-insensitive. */
const keyOf = (fullName: string): string => fullName.toLowerCase()

/** An issue of a connected repository changed; the feature that runs this job decides what follows. */
export const issueDelivered: JobType<{ deliveryId: string }> = {
  name: 'issue-delivered',
  options: { ...PERSISTENT, retryLimit: 1_000 },
}

/**
 * Stores a verified delivery once, for the organization that its repository is currently connected to. The signature
 * covers the body, so a body that was received before is a replay under any id.
 */
export const receiveDelivery = async (
  { db, clock, jobs }: Pick<Platform, 'db' | 'clock' | 'jobs'>,
  text: string,
  delivery: GitHubDelivery,
): Promise<void> => {
  const connected =
    delivery.repository === null ? undefined : await query.findOrganizationOfRepository(db, keyOf(delivery.repository))
  const now = clock.now()
  const id = newId('dlv', now)
  const row = {
    id,
    delivery_id: delivery.deliveryId,
    body_digest: sha256(text),
    organization_id: connected?.organization_id ?? null,
    event: delivery.event,
    action: delivery.action,
    repository: delivery.repository,
    payload: Buffer.from(delivery.payload),
    received_at: isoTime(now),
  }
  await transaction(db, async (tx) => {
    const isNew = await query.insertDelivery(tx, row)
    if (isNew && connected && delivery.event === 'issues') await jobs.enqueue(tx, issueDelivered, { deliveryId: id })
  })
}

/**
 * Requests a repository's notifications. They do not prove who owns it, so an instance administrator must confirm the
 * request; a request by an instance administrator is confirmed at once.
 *
 * @throws ApiError CONFLICT when the organization named it before, or, for an instance administrator, when another has
 *   it
 */
export const connectRepository = async (
  change: RunChange,
  actor: Actor,
  person: Person,
  clock: Clock,
  { fullName, engagementId = null }: { fullName: string; engagementId?: string | null | undefined },
) => {
  const now = isoTime(clock.now())
  try {
    return await changeOrganization(change, actor, async (tx) => {
      const isConfirmed = (await findUser(tx, person.userId))?.is_instance_admin ?? false
      if ((await query.countRepositories(tx, actor.organizationId)) >= MAX_REPOSITORIES) {
        throw conflict(`An organization can have at most ${MAX_REPOSITORIES} repositories.`)
      }
      await requireEngagement(tx, actor, engagementId)
      const repository = await query.insertRepository(tx, {
        id: newId('rep', clock.now()),
        organization_id: actor.organizationId,
        full_name: fullName,
        name_key: keyOf(fullName),
        requested_by: person.userId,
        requested_at: now,
        confirmed_at: isConfirmed ? now : null,
        issues_engagement_id: engagementId,
      })
      await recordAudit(tx, actor, clock, {
        action: isConfirmed ? 'repository.connected' : 'repository.requested',
        object: { type: 'repository', id: repository.id },
        after: { fullName, ...(engagementId !== null && { engagementId }) },
      })
      return repository
    })
  } catch (error) {
    throw asConflict(error)
  }
}

/**
 * Future issues become tasks of this engagement. @throws ApiError NOT_FOUND, VALIDATION_ERROR for a hidden engagement
 */
export const updateRepository = (
  change: RunChange,
  actor: Actor,
  clock: Clock,
  id: string,
  engagementId: string | null,
) =>
  change(async (tx) => {
    const before = (await query.listRepositories(tx, actor.organizationId)).find((repository) => repository.id === id)
    if (!before) throw notFound()
    await requireEngagement(tx, actor, engagementId)
    if (before.issues_engagement_id === engagementId) return before
    const after = await query.setEngagement(tx, actor.organizationId, id, engagementId)
    if (!after) throw notFound()
    await recordAudit(tx, actor, clock, {
      action: 'repository.changed',
      object: { type: 'repository', id },
      before: { fullName: before.full_name, engagementId: before.issues_engagement_id },
      after: { fullName: before.full_name, engagementId },
    })
    return after
  })

const requireEngagement = async (tx: Transaction, actor: Actor, engagementId: string | null): Promise<void> => {
  if (engagementId === null || (await query.lockEngagementForShare(tx, actor.organizationId, engagementId))) return
  throw invalid('engagementId: must be an engagement that you can see')
}

/** Ends a connection, or withdraws a request. The organization keeps earlier deliveries. */
export const disconnectRepository = (change: RunChange, actor: Actor, clock: Clock, id: string): Promise<void> =>
  change(async (tx) => {
    const repository = await query.deleteRepository(tx, actor.organizationId, id)
    if (!repository) throw notFound()
    await recordAudit(tx, actor, clock, {
      action: 'repository.disconnected',
      object: { type: 'repository', id },
      before: { fullName: repository.full_name, connected: repository.confirmed_at !== null },
    })
  })

/** A confirmed repository stays as it is. @throws ApiError NOT_FOUND, or CONFLICT when another organization has it */
export const confirmRepository = async (change: RunChange, person: Person, clock: Clock, id: string) => {
  const now = isoTime(clock.now())
  try {
    return await change(async (tx) => {
      const repository = await query.lockRepository(tx, id)
      if (!repository) throw notFound()
      if (repository.confirmed_at !== null) return repository
      const { organization_id: organizationId } = repository
      await query.setConfirmed(tx, organizationId, id, now)
      await recordAudit(tx, { person, organizationId }, clock, {
        action: 'repository.connected',
        object: { type: 'repository', id },
        after: { fullName: repository.full_name },
      })
      return { ...repository, confirmed_at: now }
    })
  } catch (error) {
    throw asConflict(error)
  }
}

const asConflict = (error: unknown): unknown => {
  if (violates(error, 'code_hosting_repositories_name')) return conflict('This repository is already in the list.')
  if (violates(error, 'code_hosting_repositories_one_organization'))
    return conflict('This repository is connected to another organization.')
  return error
}

/** Deletes bodies after 90 days; id and digest stay, so that replays are always recognised. */
export const deleteOldPayloads = (db: Database, clock: Clock): Promise<void> =>
  query.deletePayloadsBefore(db, isoTime(clock.now() - PAYLOAD_RETENTION_MS))
