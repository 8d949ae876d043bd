import type { Feature } from '../../platform/feature.ts'
import { organizationRoutes } from './organizations.routes.ts'

export const organizations: Feature = { name: 'organizations', routes: () => organizationRoutes }
