import type { Feature } from '../../platform/feature.ts'
import { coverageRoutes } from './coverage.routes.ts'
import { methodologyRoutes } from './methodologies.routes.ts'

export const methodologies: Feature = { name: 'methodologies', routes: () => [...methodologyRoutes, ...coverageRoutes] }
