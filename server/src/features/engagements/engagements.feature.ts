import type { Feature } from '../../platform/feature.ts'
import { engagementRoutes } from './engagements.routes.ts'
import { removeEngagement } from './removal.service.ts'

export const engagements: Feature = { name: 'engagements', routes: () => engagementRoutes, works: [removeEngagement] }
