import type { Actor } from '../../platform/auth/actor.ts'
import { requirePermission } from '../../platform/auth/guard.ts'
import { conflict, invalid, notFound } from '../../platform/errors.ts'
import { findAffected } from '../findings/affected/affected.queries.ts'
import { requireKept } from '../findings/finding-locks.service.ts'
import { findFinding, type WholeFindingRow } from '../findings/findings.queries.ts'
import { executePrepared, type Sender } from '../requests/runs/execute/execute.service.ts'
import type { RunTools } from '../requests/runs/execute/perform.service.ts'
import { prepareSaved } from '../requests/runs/execute/prepare.service.ts'
import { repeatScan } from '../scans/scans.service.ts'
import { requireItem } from './items.service.ts'
import { findRecordedRun } from './retests.queries.ts'
import { requireRetest } from './retests.service.ts'

/** A single run cannot be cancelled; its time limit ends it. */
const NEVER = new AbortController().signal

interface Started {
  runId: string | null
  scanId: string | null
  recordedRunId: string | null
}

/**
 * Sends a proof of an item's finding again. The sending itself checks rules, hours and permissions, at each step.
 *
 * @throws ApiError NOT_FOUND, FORBIDDEN without the scope that sends, VALIDATION_ERROR for another finding's proof,
 *   CONFLICT without a proof, in a retest that is not running, and if it may not be sent
 */
export const runRetestItem = async (
  writer: Sender,
  tools: RunTools,
  actor: Actor,
  retestId: string,
  itemId: string,
  proofId: string | undefined,
): Promise<Started> => {
  const { db } = writer
  const { organizationId } = actor
  const retest = await requireRetest(db, organizationId, retestId)
  const item = await requireItem(db, organizationId, retestId, itemId)
  const finding = await findFinding(db, organizationId, item.finding_id)
  if (!finding) throw notFound()
  requireKept(finding)
  if (retest.state !== 'running') throw conflict('This retest is not running: set it to running first.')
  const proof = chooseProof(finding, proofId)
  requirePermission(actor, { scope: proof.type === 'scan' ? 'targets:write' : 'api-requests:write' })
  const asset = item.affected_id === null ? undefined : await findAffected(db, organizationId, item.affected_id)
  const targetId = asset?.target_id ?? undefined
  if (proof.type === 'scan') {
    const { id } = await repeatScan(writer, actor, proof.id, { id: retestId, targetId })
    return { runId: null, scanId: id, recordedRunId: null }
  }
  const recorded = await findRecordedRun(db, organizationId, retest.engagement_id, proof.id, retest.created_at)
  const requestId = proof.type === 'request' ? proof.id : recorded?.request_id
  if (!requestId) throw conflict('This finding has no proof that can be run again.')
  const prepared = await prepareSaved(writer, actor, requestId, {
    engagementId: retest.engagement_id,
    retestId,
    ...(targetId !== undefined && { targetId }),
  })
  const { runId } = await executePrepared(writer, tools, actor, prepared, NEVER)
  return { runId, scanId: null, recordedRunId: recorded?.id ?? null }
}

const chooseProof = ({ proofs }: WholeFindingRow, proofId: string | undefined): WholeFindingRow['proofs'][number] => {
  const proof = proofId === undefined ? proofs[0] : proofs.find(({ id }) => id === proofId)
  if (proof) return proof
  if (proofId !== undefined && proofs.length > 0) throw invalid('proofId: must be a proof of this finding')
  throw conflict('This finding has no proof that can be run again.')
}
