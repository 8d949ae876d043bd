import type { Feature } from '../../../platform/feature.ts'
import { settingsRoutes } from './settings.routes.ts'

export const settings: Feature = { name: 'settings', routes: () => settingsRoutes }
