import type { Platform } from '../../platform/context.ts'
import type { Feature } from '../../platform/feature.ts'
import { oauthRoutes } from './oauth.routes.ts'

/** Its approvals are rows of the feature device-logins, which also deletes them. */
export const oauth: Feature<{ platform: Platform }> = { name: 'oauth', routes: oauthRoutes }
