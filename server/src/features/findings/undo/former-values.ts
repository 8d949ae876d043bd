import { type FindingUndo, MAX_FORMER_ASSETS } from '@sortie/contract/findings/bulk/finding-undo.ts'
import type { Static } from 'typebox'
import { severityOf } from '../../../platform/lists/severities.ts'
import type { ChangedFinding } from '../update/bulk-update.service.ts'

export type FormerFinding = Static<typeof FindingUndo>

/** What undoes a bulk change. A finding with very many assets is left out. */
export const toUndo = (changed: readonly ChangedFinding[]): FormerFinding[] =>
  changed
    .filter(({ assets }) => assets.reduce((sum, { ids }) => sum + ids.length, 0) <= MAX_FORMER_ASSETS)
    .map(({ before, after, assets }) => ({
      id: after.id,
      ifUpdatedAt: after.updated_at,
      set: {
        ...(before.severity !== after.severity && { severity: severityOf(before.severity) }),
        ...(before.state !== after.state && { state: before.state }),
        ...(before.author_id !== after.author_id && { authorId: before.author_id }),
        ...(before.reviewer_id !== after.reviewer_id && { reviewerId: before.reviewer_id }),
        ...(before.tags.join() !== after.tags.join() && { tags: before.tags }),
        ...(assets.length > 0
          ? { assets: assets.map(({ status, ids }) => ({ status, ids: [...ids] })) }
          : before.status !== after.status && { status: before.status }),
      },
    }))
