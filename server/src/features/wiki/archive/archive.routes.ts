import * as contract from '@sortie/contract/wiki/wiki-content.ts'
import { type Route, route } from '../../../platform/http/routes/route.ts'
import type { PageTexts } from '../text/page-texts.ts'
import { exportWikiPages } from './export.service.ts'
import { importWikiPages } from './import.service.ts'

export const archiveRoutes = (texts: PageTexts): Route[] => [
  route(contract.exportWikiPages, async (context) => {
    const { actor, config, query } = context
    return exportWikiPages(context, texts, actor, query.engagementId, config.WIKI_PAGE_LIMIT)
  }),

  route(contract.importWikiPages, async (context) => {
    const { actor, query, body } = context
    return { data: await importWikiPages(context, texts, actor, query.engagementId ?? null, body) }
  }),
]
