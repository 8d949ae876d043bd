import type { TitleSources } from '../../platform/text/titles.ts'
import type { ProductFeature } from '../engagements/parts.ts'
import { targetPageRoutes } from './target-page.routes.ts'

export const targetPage: ProductFeature<{ titleSources: TitleSources }> = {
  name: 'target-page',
  routes: ({ titleSources }) => targetPageRoutes(titleSources),
}
