import type { ProductFeature } from '../engagements/parts.ts'
import { commentRoutes } from './comments.routes.ts'

export const comments: ProductFeature = { name: 'comments', routes: () => commentRoutes }
