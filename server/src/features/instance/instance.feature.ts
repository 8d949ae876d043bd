import type { Feature } from '../../platform/feature.ts'
import type { HealthParts } from './health.service.ts'
import { instanceRoutes } from './instance.routes.ts'

export const instance: Feature<HealthParts> = { name: 'instance', routes: instanceRoutes }
