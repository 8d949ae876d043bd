import type { Feature } from '../../platform/feature.ts'
import { viewRoutes } from './views.routes.ts'

export const views: Feature = { name: 'views', routes: () => viewRoutes }
