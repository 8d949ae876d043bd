import { sql } from 'kysely'
import { objectSearch } from '../../platform/search/objects.ts'
import type { SectionTexts } from '../../platform/text-merge/section-texts.ts'
import type { TitleSource } from '../../platform/text/titles.ts'
import type { ProductFeature } from '../engagements/parts.ts'
import { affectedRoutes } from './affected/affected.routes.ts'
import { evidenceRoutes } from './evidence/evidence.routes.ts'
import { findingFileRoutes } from './finding-files.routes.ts'
import { listFindingTitles } from './findings.queries.ts'
import { findingRoutes } from './findings.routes.ts'
import { libraryDiffRoutes } from './library/library-diff.routes.ts'
import { cleanFindings } from './lifecycle/trash.service.ts'
import { suggestionRoutes } from './suggestions/suggestions.routes.ts'
import { findingHistoryRoutes } from './texts/history.routes.ts'

const findingTitles: TitleSource = {
  type: 'finding',
  scope: 'reports:read',
  find: async (db, organizationId, ids) => {
    const rows = await listFindingTitles(db, organizationId, ids)
    return new Map(rows.map(({ id, title, engagement_id: engagementId }) => [id, { title, engagementId }]))
  },
}

/** Searches findings by title, ids and texts. */
const findingSearch = objectSearch({
  type: 'finding',
  guard: 'reports:read',
  table: 'findings',
  title: sql`o.title`,
  text: sql`concat_ws(' ', array_to_string(o.cwe || o.cve || o.tags, ' '), o.summary, o.description, o.impact, o.reproduction, o.recommendation)`,
})

export const findings: ProductFeature<{ texts: SectionTexts }> = {
  name: 'findings',
  routes: ({ texts }) => [
    ...findingRoutes(texts),
    ...findingHistoryRoutes(texts),
    ...affectedRoutes,
    ...libraryDiffRoutes(texts),
    ...suggestionRoutes,
    ...findingFileRoutes,
    ...evidenceRoutes,
  ],
  titles: findingTitles,
  search: findingSearch,
  cleanUp: cleanFindings,
}
