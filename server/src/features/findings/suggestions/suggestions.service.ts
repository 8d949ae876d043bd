import type { FindingSuggestion } from '@sortie/contract/findings/suggestions.ts'
import { MAX_SUGGESTIONS } from '@sortie/contract/findings/suggestions.ts'
import type { Static } from 'typebox'
import { authorOf, type Actor } from '../../../platform/auth/actor.ts'
import { isoTime } from '../../../platform/clock.ts'
import type { Writer } from '../../../platform/context.ts'
import type { Database } from '../../../platform/database/connection/open.ts'
import { conflict, forbidden, notFound } from '../../../platform/errors.ts'
import { recordAudit } from '../../audit/audit.service.ts'
import { findEngagement } from '../../engagements/engagements.queries.ts'
import { asBodyFieldError, lockWritableEngagementForShare } from '../../engagements/locks.service.ts'
import { listSuggestedEntries } from '../../library/entries/suggested-entries.service.ts'
import { groupResults, MAX_FILTER_VALUES } from './group-results.ts'
import * as query from './suggestions.queries.ts'

const MAX_GROUPS = 20_000
const MAX_DISMISSED = 10_000

/** @throws ApiError FORBIDDEN without the scope that reads results, NOT_FOUND for a hidden engagement */
export const listFindingSuggestions = async (
  db: Database,
  actor: Actor,
  engagementId: string,
): Promise<Static<typeof FindingSuggestion>[]> => {
  const { organizationId } = actor
  if (!(await findEngagement(db, organizationId, engagementId))) throw notFound()
  requireResultReader(actor)
  const rows = await query.listResultGroups(db, organizationId, engagementId, MAX_GROUPS, MAX_FILTER_VALUES)
  const entries = await listSuggestedEntries(db, organizationId, engagementId)
  const dismissed = await query.listDismissed(db, organizationId, engagementId)
  const suggestions = groupResults(engagementId, rows, entries).map((suggestion) => ({
    ...suggestion,
    dismissed: dismissed.has(suggestion.key),
  }))
  return suggestions.toSorted((a, b) => Number(a.dismissed) - Number(b.dismissed)).slice(0, MAX_SUGGESTIONS)
}

interface Dismissal {
  engagementId: string
  key: string
}

/**
 * @throws ApiError FORBIDDEN without the scope that reads results, VALIDATION_ERROR for a hidden engagement, CONFLICT
 *   if archived
 */
export const setDismissed = (
  { change, clock }: Writer,
  actor: Actor,
  { engagementId, key }: Dismissal,
  isWanted: boolean,
): Promise<void> =>
  change(async (tx) => {
    const { organizationId } = actor
    await asBodyFieldError(lockWritableEngagementForShare(tx, actor, engagementId))
    requireResultReader(actor)
    if (isWanted && (await query.listDismissed(tx, organizationId, engagementId)).size >= MAX_DISMISSED) {
      throw conflict(`An engagement has at most ${MAX_DISMISSED} dismissed suggestions.`)
    }
    const isChanged = isWanted
      ? await query.insertDismissed(tx, organizationId, engagementId, key, authorOf(actor), isoTime(clock.now()))
      : await query.deleteDismissed(tx, organizationId, engagementId, key)
    if (!isChanged) return
    await recordAudit(tx, actor, clock, {
      action: isWanted ? 'finding-suggestion.dismissed' : 'finding-suggestion.undismissed',
      object: { type: 'engagement', id: engagementId },
      engagementId,
      after: { key },
    })
  })

const requireResultReader = ({ scopes }: Actor): void => {
  if (!scopes.has('targets:read')) throw forbidden('Suggestions also need the scope targets:read.')
}
