import { sql } from 'kysely'
import { objectSearch } from '../../platform/search/objects.ts'
import type { SectionTexts } from '../../platform/text-merge/section-texts.ts'
import type { TitleSource } from '../../platform/text/titles.ts'
import type { ProductFeature } from '../engagements/parts.ts'
import { acceptanceRoutes } from './comments/report-comments.routes.ts'
import type { ReportReader } from './document/read-source.ts'
import { reportFileRoutes } from './report-files.routes.ts'
import { listReportTitles } from './reports.queries.ts'
import { reportRoutes } from './reports.routes.ts'
import { cleanReportTexts } from './sections/clean-texts.ts'

const reportTitles: TitleSource = {
  type: 'report',
  scope: 'reports:read',
  find: async (db, organizationId, ids) => {
    const rows = await listReportTitles(db, organizationId, ids)
    return new Map(rows.map(({ id, title, engagement_id: engagementId }) => [id, { title, engagementId }]))
  },
}

/** Searches reports by title and by the texts of their sections. */
const reportSearch = objectSearch({
  type: 'report',
  guard: 'reports:read',
  table: 'reports',
  title: sql`o.title`,
  text: sql`coalesce((select string_agg(concat_ws(' ', s.title, s.body), ' ' order by s.position, s.id) from report_sections s
    where s.organization_id = o.organization_id and s.report_id = o.id), '')`,
})

/** @param editions reads what earlier editions showed, for the section of changes */
export const reports = (editions: Pick<ReportReader, 'findEditionData'>): ProductFeature<{ texts: SectionTexts }> => ({
  name: 'reports',
  routes: ({ texts }) => [...reportRoutes(texts, editions), ...acceptanceRoutes(texts), ...reportFileRoutes],
  titles: reportTitles,
  search: reportSearch,
  cleanUp: cleanReportTexts,
})
