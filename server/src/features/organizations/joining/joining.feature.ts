import type { Feature } from '../../../platform/feature.ts'
import type { Passwords } from '../../auth/passwords/passwords.ts'
import { joiningRoutes } from './joining.routes.ts'

export const joining: Feature<{ passwords: Passwords }> = {
  name: 'joining',
  routes: ({ passwords }) => joiningRoutes(passwords),
}
