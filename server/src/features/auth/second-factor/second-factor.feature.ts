import type { Feature } from '../../../platform/feature.ts'
import type { Passwords } from '../passwords/passwords.ts'
import { passkeyRoutes } from './passkeys/passkeys.routes.ts'
import { forgetEndedChallenges } from './proofs/proof.service.ts'
import { resealFactors } from './rotation/kept-keys.ts'
import { secondFactorRoutes } from './second-factor.routes.ts'

export const secondFactor: Feature<{ passwords: Passwords }> = {
  name: 'second-factor',
  routes: ({ passwords }) => [...secondFactorRoutes(passwords), ...passkeyRoutes(passwords)],
  reseal: resealFactors,
  cleanUp: ({ db, clock }) => forgetEndedChallenges(db, clock),
}
