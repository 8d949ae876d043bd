import type { ProductFeature } from '../engagements/parts.ts'
import { operationRoutes } from './operations.routes.ts'

export const operations: ProductFeature = { name: 'operations', routes: () => operationRoutes }
