import { FINDING_STATES, type FindingState } from '@sortie/contract/findings/finding-fields.ts'
import { severityOfScore } from '@sortie/contract/inventory/cvss.ts'
import type { Actor } from '../../../platform/auth/actor.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import { conflict } from '../../../platform/errors.ts'
import { severityOf } from '../../../platform/lists/severities.ts'
import { listRules } from '../../custom-fields/field-values.queries.ts'
import type { FieldRule } from '../../custom-fields/parse-field-value.ts'
import { type FindingRow } from '../findings.queries.ts'
import { findReportSettings } from './report-settings.queries.ts'

/** What the rules of review depend on. */
export interface ReviewRules {
  fourEyes: boolean
  required: readonly Pick<FieldRule, 'key'>[]
}

export const readReviewRules = async (tx: Transaction, organizationId: string): Promise<ReviewRules> => ({
  fourEyes: (await findReportSettings(tx, organizationId)).fourEyes,
  required: (await listRules(tx, organizationId, 'finding')).filter(({ required }) => required),
})

/** A finding with its new values. */
type Reviewed = Pick<FindingRow, 'severity' | 'severity_reason' | 'cvss_score' | 'fields' | 'writers'>

/**
 * Checks a change of state: one step forward, one back, or to draft.
 *
 * @throws ApiError CONFLICT for a skipped state, before review for a missing field or reason, and for an approval that
 *   four-eyes review forbids
 */
export const requireTransition = (
  actor: Actor,
  { fourEyes, required }: ReviewRules,
  finding: Reviewed,
  from: FindingState,
  to: FindingState,
): void => {
  const refusal = transitionRefusal(actor, { fourEyes, required }, finding, from, to)
  if (refusal !== undefined) throw conflict(refusal)
}

/** Why a change of state is not allowed; undefined if it is. */
export const transitionRefusal = (
  actor: Actor,
  { fourEyes, required }: ReviewRules,
  finding: Reviewed,
  from: FindingState,
  to: FindingState,
): string | undefined => {
  if (from === to) return undefined
  const step = FINDING_STATES.indexOf(to) - FINDING_STATES.indexOf(from)
  if (step > 1)
    return 'state: a finding goes from draft to in_review to approved, one step at a time, and back one step or to draft.'
  if (step < 0) return undefined
  const missing = required.find(({ key }) => !Object.hasOwn(finding.fields, key))
  if (missing) return `fields.${missing.key}: is required before review.`
  if (
    finding.cvss_score !== null &&
    severityOfScore(finding.cvss_score) !== severityOf(finding.severity) &&
    finding.severity_reason === ''
  ) {
    return 'severityReason: is needed before review, because severity and score differ.'
  }
  if (to === 'approved' && actor.agent) return 'An agent cannot approve a finding.'
  if (to !== 'approved' || !fourEyes) return undefined
  if (actor.kind === 'key') return 'With four-eyes review, an API key cannot approve a finding.'
  if (finding.writers.includes(actor.id))
    return 'With four-eyes review, a finding must be approved by someone who wrote none of its text.'
  return undefined
}
