import type { TitleSources } from '../../platform/text/titles.ts'
import type { ProductFeature } from '../engagements/parts.ts'
import { archiveRoutes } from './archive/archive.routes.ts'
import { historyRoutes } from './history/history.routes.ts'
import { linkRoutes } from './links/links.routes.ts'
import { pageFileRoutes } from './page-files.routes.ts'
import { wikiClone } from './pages/clone/clone.ts'
import { pageTitles } from './pages/lists/page-titles.ts'
import { pageSearch } from './pages/lists/search-pages.ts'
import { pageRoutes } from './pages/pages.routes.ts'
import { cleanWiki } from './pages/trash.service.ts'
import { createPageTexts } from './text/page-texts.ts'

export const wiki: ProductFeature<{ titleSources: TitleSources }> = {
  name: 'wiki',
  routes: ({ titleSources }) => {
    const texts = createPageTexts()
    return [
      ...archiveRoutes(texts),
      ...pageRoutes(texts),
      ...historyRoutes(texts),
      ...linkRoutes(titleSources),
      ...pageFileRoutes,
    ]
  },
  titles: pageTitles,
  search: pageSearch,
  engagementPart: { clone: wikiClone },
  cleanUp: cleanWiki,
}
