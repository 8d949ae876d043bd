import type { Feature } from '../../platform/feature.ts'
import { type InstanceParts, instanceRoutes } from './instance.routes.ts'

export const instance: Feature<InstanceParts> = { name: 'instance', routes: instanceRoutes }
