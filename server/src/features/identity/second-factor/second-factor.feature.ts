import type { Feature } from '../../../platform/feature.ts'
import type { Platform } from '../../../platform/http/context.ts'
import type { Passwords } from '../accounts/passwords.ts'
import { memberSecurityRoutes } from './member-security.routes.ts'
import { passkeyRoutes } from './passkeys.routes.ts'
import { forgetEndedChallenges } from './proof.service.ts'
import { secondFactorRoutes } from './second-factor.routes.ts'

export const secondFactor: Feature<{ platform: Platform; passwords: Passwords }> = {
  name: 'second-factor',
  routes: ({ platform, passwords }) => [...secondFactorRoutes(passwords), ...passkeyRoutes(passwords), ...memberSecurityRoutes(platform.db, passwords)],
  cleanUp: ({ db, clock }) => forgetEndedChallenges(db, clock),
}
