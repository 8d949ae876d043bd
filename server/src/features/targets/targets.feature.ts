import { EMPTY_OVERVIEW, type Overview } from '@sortie/contract/engagement/engagement-overview.ts'
import type { Database } from '../../platform/database/connection/open.ts'
import type { ProductFeature } from '../engagements/parts.ts'
import { cloneTargets } from './clone-targets.service.ts'
import { targetSearch } from './lists/search-targets.queries.ts'
import { targetTitles } from './lists/target-titles.ts'
import { summarizeTargets } from './targets.queries.ts'
import { targetRoutes } from './targets.routes.ts'
import { emptyTargetTrash, type ReevaluateResults } from './undo/undo.service.ts'

/** @param reevaluateResults evaluates results again that a restored target gets back */
export const targets = (reevaluateResults: ReevaluateResults): ProductFeature => ({
  name: 'targets',
  routes: () => targetRoutes(reevaluateResults),
  cleanUp: emptyTargetTrash,
  titles: targetTitles,
  search: targetSearch,
  engagementPart: {
    overview: {
      scope: 'targets:read',
      count: async (db, organizationId, engagementId) => ({
        targets: await countsOf(db, organizationId, engagementId),
      }),
    },
    clone: { part: 'targets', copy: cloneTargets },
  },
})

const countsOf = async (db: Database, organizationId: string, engagementId: string): Promise<Overview['targets']> => {
  const rows = await summarizeTargets(db, organizationId, engagementId)
  const by = (wanted: 'kind' | 'verdict') =>
    Object.fromEntries(rows.filter((row) => row.by === wanted).map(({ word, count }) => [word, count]))
  const { byKind, byVerdict } = EMPTY_OVERVIEW.targets as NonNullable<Overview['targets']>
  return { byKind: { ...byKind, ...by('kind') }, byVerdict: { ...byVerdict, ...by('verdict') } }
}
