import type { Body } from '@sortie/contract/core/endpoint.ts'
import type * as contract from '@sortie/contract/findings/affected.ts'
import type { Actor } from '../../../platform/auth/actor.ts'
import { isoTime } from '../../../platform/clock.ts'
import type { Writer } from '../../../platform/context.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import { conflict, invalid, notFound } from '../../../platform/errors.ts'
import { announce } from '../../../platform/events/announce.ts'
import { recordAudit } from '../../audit/audit.service.ts'
import { lockSelection } from '../../engagements/selections.service.ts'
import { clientStatusOf, isSameClientStatus } from '../client-status.ts'
import { lockWritableFinding, lockWritableFindings } from '../finding-locks.service.ts'
import type { WholeFindingRow } from '../findings.queries.ts'
import { notifyPeople } from '../notify-people.service.ts'
import type { ChangedFinding } from '../update/bulk-update.service.ts'
import { addAssets, fingerprintOf, readSources } from './add-affected.service.ts'
import * as query from './affected.queries.ts'
import { refreshStatus } from './refresh-status.service.ts'

interface Returned {
  /** The finding was approved, and needs a new review. */
  returnedToReview: boolean
}

interface UpdatedAsset extends Returned {
  asset: query.AffectedRow
}

const isApproved = ({ state }: Pick<WholeFindingRow, 'state'>): boolean => state === 'approved'

/**
 * @throws ApiError NOT_FOUND, VALIDATION_ERROR unless exactly one source is given, CONFLICT in the trash or beyond the
 *   limit
 */
export const addAffected = (
  writer: Writer,
  actor: Actor,
  findingId: string,
  sources: Body<typeof contract.addAffected>,
) =>
  writer.change(async (tx) => {
    const { clock } = writer
    const finding = await lockWritableFinding(tx, actor, findingId)
    const { engagement_id: engagementId } = finding
    if (Object.keys(sources).length !== 1)
      throw invalid('assets: exactly one of assets, targetIds, resultIds and resultFilter is needed')
    const { assets } = await readSources(tx, actor, engagementId, sources)
    const { linked, created, known } = await addAssets(tx, clock, actor, { id: findingId, engagementId }, assets)
    const outcome = { created, known, returnedToReview: created > 0 && isApproved(finding) }
    if (created === 0 && linked === 0) return outcome
    if (created > 0) {
      const changed = await refreshStatus(tx, clock, actor, finding, { returns: true })
      await notifyPeople(tx, writer, actor, [{ before: finding, after: changed }])
    }
    const after = { title: finding.title, assets: created, known }
    await recordAudit(tx, actor, clock, {
      action: 'affected-assets.added',
      object: { type: 'finding', id: findingId },
      engagementId,
      after,
    })
    await announceFindings(tx, [finding])
    return outcome
  })

/**
 * Unchanged values have no effect. @throws ApiError NOT_FOUND, CONFLICT for a stale change, a known asset and in the
 * trash
 */
export const updateAffected = (
  writer: Writer,
  actor: Actor,
  affectedId: string,
  { ifUpdatedAt, asset, note, status, clientStatus }: Body<typeof contract.updateAffected>,
): Promise<UpdatedAsset> =>
  writer.change(async (tx) => {
    const { clock } = writer
    const { organizationId } = actor
    const { finding, before } = await lockAffected(tx, actor, affectedId)
    if (ifUpdatedAt !== undefined && ifUpdatedAt !== before.updated_at) {
      throw conflict('This asset was changed in the meantime. Read it again, then repeat the change.')
    }
    const isRenamed = asset !== undefined && asset !== before.asset
    const isClientChanged = clientStatus !== undefined && !isSameClientStatus(before.client_status, clientStatus)
    const client = isClientChanged ? clientStatusOf(actor, clock, clientStatus) : undefined
    const after = {
      ...(isRenamed && { asset }),
      ...(note !== undefined && note !== before.note && { note }),
      ...(status !== undefined && status !== before.status && { status }),
      ...(isClientChanged && { clientStatus: client }),
    }
    if (Object.keys(after).length === 0) return { asset: before, returnedToReview: false }
    const fingerprint = isRenamed ? fingerprintOf(asset) : undefined
    if (fingerprint !== undefined && (await query.findIsTaken(tx, organizationId, finding.id, fingerprint)))
      throw conflict('The finding already has this asset.')
    await query.updateAffected(tx, organizationId, affectedId, {
      ...(isRenamed && fingerprint !== undefined && { asset, fingerprint }),
      ...(after.note !== undefined && { note: after.note }),
      ...(after.status !== undefined && { status: after.status }),
      ...(isClientChanged && { client_status: client ? JSON.stringify(client) : null }),
      updated_at: isoTime(Math.max(clock.now(), Date.parse(before.updated_at) + 1)),
    })
    const changed = await refreshStatus(tx, clock, actor, finding, { returns: isRenamed })
    await notifyPeople(tx, writer, actor, [{ before: finding, after: changed }])
    const old = { asset: before.asset, note: before.note, status: before.status, clientStatus: before.client_status }
    const oldValues = Object.fromEntries(Object.keys(after).map((field) => [field, old[field as keyof typeof old]]))
    await recordAudit(tx, actor, clock, {
      action: 'affected-asset.changed',
      object: { type: 'affected-asset', id: affectedId },
      engagementId: finding.engagement_id,
      before: { findingId: finding.id, ...oldValues },
      after,
    })
    await announceFindings(tx, [finding])
    return {
      asset: await requireAffected(tx, organizationId, affectedId),
      returnedToReview: isRenamed && isApproved(finding),
    }
  })

/** @throws ApiError NOT_FOUND, CONFLICT in the trash and in an archived engagement */
export const deleteAffected = ({ change, clock }: Writer, actor: Actor, affectedId: string): Promise<Returned> =>
  change(async (tx) => {
    const { finding, before } = await lockAffected(tx, actor, affectedId)
    await query.deleteAffected(tx, actor.organizationId, [affectedId])
    await refreshStatus(tx, clock, actor, finding, { returns: true })
    await recordAudit(tx, actor, clock, {
      action: 'affected-asset.deleted',
      object: { type: 'affected-asset', id: affectedId },
      engagementId: finding.engagement_id,
      before: { findingId: finding.id, title: before.asset, status: before.status },
    })
    await announceFindings(tx, [finding])
    return { returnedToReview: isApproved(finding) }
  })

/** @returns how many were found, and the findings whose assets got another status, with their former ones */
export const bulkUpdateAffected = (
  writer: Writer,
  actor: Actor,
  { set, ids: wanted, filter }: Body<typeof contract.bulkUpdateAffected>,
): Promise<{ found: number; changed: ChangedFinding[] }> =>
  writer.change(async (tx) => {
    const { clock } = writer
    const { organizationId } = actor
    const selection = { ...(wanted && { ids: wanted }), ...(filter && { filter }) }
    const ids = await lockSelection(tx, actor, query.affectedList, selection)
    const findings = await lockWritableFindings(tx, actor, await query.listFindingsOf(tx, organizationId, ids))
    const client = set.clientStatus === undefined ? undefined : clientStatusOf(actor, clock, set.clientStatus)
    const former = set.status
      ? await query.listOtherStatuses(
          tx,
          organizationId,
          findings.map(({ id }) => id),
          set.status,
          ids,
        )
      : []
    const assetsOf = Map.groupBy(former, ({ finding_id }) => finding_id)
    const alike = { status: set.status, note: set.note, clientStatus: client }
    const changed = new Set(await query.updateAffectedAlike(tx, organizationId, ids, alike, isoTime(clock.now())))
    const concerned = findings.filter(({ id }) => changed.has(id))
    const changes: ChangedFinding[] = []
    for (const finding of concerned)
      changes.push({
        before: finding,
        after: await refreshStatus(tx, clock, actor, finding, { returns: false }),
        assets: assetsOf.get(finding.id) ?? [],
      })
    await notifyPeople(tx, writer, actor, changes)
    for (const engagementId of new Set(concerned.map(({ engagement_id }) => engagement_id))) {
      const after = { assets: ids.length, findings: concerned.length, ...set }
      await recordAudit(tx, actor, clock, {
        action: 'affected-assets.changed',
        object: { type: 'engagement', id: engagementId },
        after,
      })
    }
    await announceFindings(tx, concerned)
    return { found: ids.length, changed: changes.filter(({ assets }) => assets.length > 0) }
  })

const announceFindings = async (
  tx: Transaction,
  findings: readonly Pick<WholeFindingRow, 'id' | 'engagement_id'>[],
): Promise<void> => {
  for (const engagementId of new Set(findings.map(({ engagement_id }) => engagement_id))) {
    const ids = findings.filter(({ engagement_id }) => engagement_id === engagementId).map(({ id }) => id)
    await announce(tx, { type: 'finding', engagementId, ids, change: 'updated' })
  }
}

const lockAffected = async (tx: Transaction, actor: Actor, affectedId: string) => {
  const seen = await requireAffected(tx, actor.organizationId, affectedId)
  const finding = await lockWritableFinding(tx, actor, seen.finding_id)
  // Read again: it may have changed before the finding was locked.
  return { finding, before: await requireAffected(tx, actor.organizationId, affectedId) }
}

const requireAffected = async (
  tx: Transaction,
  organizationId: string,
  affectedId: string,
): Promise<query.AffectedRow> => {
  const row = await query.findAffected(tx, organizationId, affectedId)
  if (!row) throw notFound()
  return row
}
