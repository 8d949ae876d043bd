import Type from 'typebox'
import { closedObject, endpoint, Id, OneOf } from '../../core/endpoint.ts'
import { Reverted, UNDO_BODY, undoItem, undoItems } from '../../core/lists.ts'
import { ENGAGEMENT_ARCHIVED } from '../../core/values.ts'
import {
  EXAMPLE_FINDING,
  FINDING_SEVERITIES,
  FINDING_STATES,
  IN_TURN,
  PersonId,
  REMEDIATION_STATUSES,
  Tags,
} from '../finding-fields.ts'

/** Assets of a finding whose former status a bulk change answers; a finding with more has no undo. */
export const MAX_FORMER_ASSETS = 1_000

const AssetIds = Type.Array(Id('aff'), { minItems: 1, maxItems: MAX_FORMER_ASSETS })

/** A change of one finding that undoes a bulk change. */
export const FindingUndo = undoItem(
  'fnd',
  closedObject({
    severity: Type.Optional(OneOf(FINDING_SEVERITIES)),
    state: Type.Optional(OneOf(FINDING_STATES)),
    status: Type.Optional(OneOf(REMEDIATION_STATUSES, { description: 'of a finding without assets' })),
    assets: Type.Optional(
      Type.Array(closedObject({ status: OneOf(REMEDIATION_STATUSES), ids: AssetIds }), {
        maxItems: REMEDIATION_STATUSES.length,
        description: 'the former status of its affected assets',
      }),
    ),
    authorId: Type.Optional(PersonId('a member who sees the engagement, or null')),
    reviewerId: Type.Optional(PersonId('a member who sees the engagement, or null')),
    tags: Type.Optional(Tags),
  }),
)

export const revertFindings = endpoint({
  id: 'revertFindings',
  method: 'POST',
  path: '/findings/bulk-revert',
  scope: 'reports:write',
  about: 'engagement',
  origin: 'extension',
  summary: 'Restore former values of findings.',
  description:
    'Takes what a bulk change with `withUndo` returns, 1,000 findings at a time. A finding is skipped if it has changed since or is in the trash, if its former author or reviewer has lost access, or if the review does not allow its former state. No one is notified.',
  body: closedObject({ items: undoItems(FindingUndo) }),
  bodyLimits: UNDO_BODY,
  responseTimeout: IN_TURN,
  reply: Reverted,
  status: 200,
  conflicts: [ENGAGEMENT_ARCHIVED],
  example: {
    body: {
      items: [{ id: EXAMPLE_FINDING.id, ifUpdatedAt: EXAMPLE_FINDING.updatedAt, set: { severity: 'medium' } }],
    },
    reply: { data: { updated: 1, skipped: 0 } },
  },
})
