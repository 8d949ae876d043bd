import type { ProductFeature } from '../engagements/parts.ts'
import { operationRoutes } from './operation-log.routes.ts'

export const operations: ProductFeature = { name: 'operation-log', routes: () => operationRoutes }
