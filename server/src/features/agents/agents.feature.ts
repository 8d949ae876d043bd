import type { Platform } from '../../platform/context.ts'
import type { Feature } from '../../platform/feature.ts'
import { agentRoutes } from './agents.routes.ts'

export const agents: Feature<{ platform: Platform }> = { name: 'agents', routes: agentRoutes }
