import type { WrittenFields } from '@sortie/contract/custom-fields/fields.ts'
import type { FindingState, RemediationStatus } from '@sortie/contract/findings/finding-fields.ts'
import type { Updateable } from 'kysely'
import type { Actor } from '../../../platform/auth/actor.ts'
import { isoTime } from '../../../platform/clock.ts'
import type { Writer } from '../../../platform/context.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import type { Findings } from '../../../platform/database/types.gen.ts'
import { conflict, invalid, notFound } from '../../../platform/errors.ts'
import type { SectionTexts } from '../../../platform/text-merge/section-texts.ts'
import { setFields, withFields } from '../../custom-fields/field-values.service.ts'
import { updateStatusOfAll } from '../affected/affected.queries.ts'
import { refreshStatus } from '../affected/refresh-status.service.ts'
import { clientStatusOf, isSameClientStatus, type WrittenClientStatus } from '../client-status.ts'
import { lockWritableFinding, requirePeople } from '../finding-locks.service.ts'
import * as query from '../findings.queries.ts'
import { requireLibraryVersion } from '../library/read-entry.service.ts'
import { notifyPeople } from '../notify-people.service.ts'
import { recordFinding } from '../record-finding.service.ts'
import { requireRetested } from '../retested-finding.service.ts'
import { readReviewRules, requireTransition } from '../review/review.service.ts'
import { mergeWithOthers, saveTexts, sectionsIn, type Texts } from '../texts/save-texts.service.ts'
import { changedFields, columnsOf, type PlainFields, plainFieldsIn } from './changed-fields.ts'

export type FindingChange = PlainFields &
  Partial<Texts> & {
    state?: FindingState
    status?: RemediationStatus
    clientStatus?: WrittenClientStatus
    fields?: WrittenFields
    baseRevision?: number
    ifUpdatedAt?: string
  }

export interface UpdatedFinding {
  finding: query.WholeFindingRow
  /** The texts also have what others saved since the base of the sent ones. */
  merged: boolean
  /** It was approved, and needs a new review. */
  returnedToReview: boolean
}

/**
 * Changes a finding and keeps what others wrote since the base of its texts. Unchanged values have no effect.
 *
 * @throws ApiError NOT_FOUND, VALIDATION_ERROR for an invalid value, CONFLICT for a stale change, for edits that
 *   overlap, for a state that the review does not allow, in the trash and in an archived engagement
 */
export const updateFinding = (
  writer: Writer,
  texts: SectionTexts,
  actor: Actor,
  findingId: string,
  wanted: FindingChange,
): Promise<UpdatedFinding> =>
  texts.inTurn(findingId, () =>
    writer.change(async (tx) => {
      const { clock } = writer
      const { organizationId } = actor
      const before = await lockWritableFinding(tx, actor, findingId)
      if (wanted.ifUpdatedAt !== undefined && wanted.ifUpdatedAt !== before.updated_at) {
        throw conflict('This finding was changed in the meantime. Read it again, then repeat the change.')
      }
      requireVerifier(actor, before.verification, wanted.verification)
      const { changed: sections, merged } = await mergeWithOthers(
        tx,
        writer,
        texts,
        organizationId,
        before,
        sectionsIn(wanted),
        wanted.baseRevision,
      )
      const plain = changedFields(before, plainFieldsIn(wanted))
      await requireProofs(tx, actor, before.engagement_id, plain.after.proofs, before.proofs)
      await requirePeople(tx, actor, before.engagement_id, plain.after)
      await requireRetested(tx, actor, before.engagement_id, plain.after.retestOf)
      await requireLibraryVersion(tx, organizationId, before, plain.after.libraryVersion)
      const set = await setFields(
        tx,
        actor,
        { type: 'finding', id: findingId, engagementId: before.engagement_id },
        wanted.fields,
      )
      const isClientChanged =
        wanted.clientStatus !== undefined && !isSameClientStatus(before.client_status, wanted.clientStatus)
      const client = isClientChanged ? clientStatusOf(actor, clock, wanted.clientStatus ?? null) : undefined
      const isRewritten = Object.keys(sections).length > 0
      const isContentChanged = isRewritten || plain.after.title !== undefined || plain.after.severity !== undefined
      const written: Partial<Texts> & { revision?: number; writers?: string[] } = isRewritten
        ? await saveTexts(tx, writer, actor, before, sections)
        : {}
      const columns: Updateable<Findings> = {
        ...columnsOf(plain.after),
        ...written,
        ...(isClientChanged && { client_status: client ? JSON.stringify(client) : null }),
      }
      const state = await nextState(tx, actor, { ...before, ...written }, columns, isContentChanged, wanted.state)
      const isStatusChanged = await setStatus(tx, actor, before, wanted.status, isoTime(clock.now()))
      const after = {
        ...plain.after,
        ...(isRewritten && { revision: written.revision, sections: Object.keys(sections) }),
        ...(isClientChanged && { clientStatus: client }),
        ...(state !== before.state && { state }),
        ...(isStatusChanged && { status: wanted.status }),
      }
      if (Object.keys(after).length === 0 && !set) return { finding: before, merged: false, returnedToReview: false }
      await query.updateFinding(tx, organizationId, findingId, {
        ...columns,
        ...(isStatusChanged && wanted.status && { status: wanted.status }),
        ...stateColumns(
          actor,
          isContentChanged && state === 'approved' ? { ...before, state: 'in_review' } : before,
          state,
          written.revision ?? before.revision,
          columns,
        ),
        updated_at: isoTime(Math.max(clock.now(), Date.parse(before.updated_at) + 1)),
      })
      if (isStatusChanged)
        await refreshStatus(tx, clock, actor, await readBack(tx, organizationId, findingId), { returns: false })
      const old = {
        revision: before.revision,
        clientStatus: before.client_status,
        state: before.state,
        status: before.status,
      }
      const oldValues = Object.fromEntries(Object.entries(old).filter(([name]) => name in after))
      const values = withFields({ before: { ...plain.before, ...oldValues }, after }, set)
      await recordFinding(tx, actor, clock, {
        action: 'finding.changed',
        change: 'updated',
        findingId,
        engagementId: before.engagement_id,
        ...values,
      })
      const finding = await readBack(tx, organizationId, findingId)
      await notifyPeople(tx, writer, actor, [{ before, after: finding }])
      return {
        finding,
        merged,
        returnedToReview: before.state === 'approved' && finding.state === 'in_review' && wanted.state === undefined,
      }
    }),
  )

export const readBack = async (
  tx: Transaction,
  organizationId: string,
  findingId: string,
): Promise<query.WholeFindingRow> => {
  const finding = await query.findFinding(tx, organizationId, findingId)
  if (!finding) throw notFound()
  return finding
}

/** Only people verify. @throws ApiError VALIDATION_ERROR */
export const requireVerifier = (actor: Actor, before: string, wanted: string | undefined): void => {
  if (wanted === 'human_verified' && before !== 'human_verified' && actor.kind === 'key')
    throw invalid('verification: only people set human_verified')
  if (actor.agent && wanted !== undefined && wanted !== before && wanted !== 'machine_found')
    throw invalid('verification: what an agent finds is machine_found')
}

/** @throws ApiError VALIDATION_ERROR for new proofs of another engagement, or that the caller may not read */
export const requireProofs = async (
  tx: Transaction,
  actor: Actor,
  engagementId: string,
  wanted: PlainFields['proofs'],
  had: readonly { id: string }[],
): Promise<void> => {
  const added = (wanted ?? []).filter(({ id }) => !had.some((proof) => proof.id === id))
  if (added.length === 0) return
  const found = await query.listProofIds(
    tx,
    actor.organizationId,
    engagementId,
    added.map(({ id }) => id),
  )
  for (const { type, id } of added) {
    const mayRead = actor.scopes.has(type === 'scan' ? 'targets:read' : 'api-requests:read')
    const isOfType = id.startsWith(PROOF_PREFIXES[type])
    if (!found.has(id) || !mayRead || !isOfType) {
      const place = (wanted ?? []).findIndex((proof) => proof.id === id)
      throw invalid(`proofs.${place}.id: must be a ${type} of this engagement that you can see`)
    }
  }
}

const PROOF_PREFIXES = { request: 'req_', run: 'run_', scan: 'scn_' } as const

/** The state after a change: new content returns an approved finding to review. @throws ApiError CONFLICT */
const nextState = async (
  tx: Transaction,
  actor: Actor,
  before: query.FindingRow,
  columns: Updateable<Findings>,
  isContentChanged: boolean,
  wanted: FindingState | undefined,
): Promise<FindingState> => {
  const from = isContentChanged && before.state === 'approved' ? 'in_review' : before.state
  if (wanted === undefined || wanted === from) return from
  const rules = await readReviewRules(tx, actor.organizationId)
  const { fields } = await readBack(tx, actor.organizationId, before.id)
  const {
    severity = before.severity,
    severity_reason = before.severity_reason,
    cvss_score = before.cvss_score,
  } = columns
  const values = { severity, severity_reason, cvss_score, fields, writers: before.writers } as Pick<
    query.FindingRow,
    'severity'
  >
  requireTransition(actor, rules, { ...before, ...values, fields }, from, wanted)
  return wanted
}

/** Columns that follow from a change of state; an approval applies to this revision. */
export const stateColumns = (
  actor: Actor,
  before: query.FindingRow,
  state: FindingState,
  revision: number,
  columns: Updateable<Findings>,
): Updateable<Findings> => {
  if (state === before.state) return {}
  if (state !== 'approved') return { state }
  const hasReviewer = (columns.reviewer_id === undefined ? before.reviewer_id : columns.reviewer_id) !== null
  return {
    state,
    approved_revision: revision,
    ...(before.published_at !== null && { published_revision: revision }),
    ...(!hasReviewer && actor.kind === 'user' && { reviewer_id: actor.id }),
  }
}

/** Sets the status of every asset. @returns true if something changes */
const setStatus = async (
  tx: Transaction,
  { organizationId }: Actor,
  before: query.FindingRow,
  wanted: RemediationStatus | undefined,
  now: string,
): Promise<boolean> => {
  if (wanted === undefined) return false
  return (await updateStatusOfAll(tx, organizationId, before.id, wanted, now)) > 0 || wanted !== before.status
}
