import type { Feature } from '../../platform/feature.ts'
import { engagementRoutes } from './engagements.routes.ts'

export const engagements: Feature = { name: 'engagements', routes: () => engagementRoutes }
