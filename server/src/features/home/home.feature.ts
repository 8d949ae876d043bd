import type { Feature } from '../../platform/feature.ts'
import type { TitleSources } from '../../platform/text/titles.ts'
import { homeRoutes } from './home.routes.ts'

export const home: Feature<{ titleSources: TitleSources }> = {
  name: 'home',
  routes: ({ titleSources }) => homeRoutes(titleSources),
}
