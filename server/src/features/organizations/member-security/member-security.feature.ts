import type { Platform } from '../../../platform/context.ts'
import type { Feature } from '../../../platform/feature.ts'
import type { Passwords } from '../../auth/passwords/passwords.ts'
import { memberSecurityRoutes } from './member-security.routes.ts'

export const memberSecurity: Feature<{ platform: Platform; passwords: Passwords }> = {
  name: 'member-security',
  routes: ({ platform, passwords }) => memberSecurityRoutes(platform.db, passwords),
}
