import type { Feature } from '../../../platform/feature.ts'
import { memberRoutes } from './members.routes.ts'

export const members: Feature = { name: 'members', routes: () => memberRoutes }
