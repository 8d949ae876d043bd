import type { Feature } from '../../platform/feature.ts'
import { apiKeyRoutes } from './api-keys.routes.ts'

export const apiKeys: Feature = { name: 'api-keys', routes: () => apiKeyRoutes }
