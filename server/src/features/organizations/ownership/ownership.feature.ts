import type { Feature } from '../../../platform/feature.ts'
import type { Passwords } from '../../auth/passwords/passwords.ts'
import { ownershipRoutes } from './ownership.routes.ts'

export const ownership: Feature<{ passwords: Passwords }> = {
  name: 'ownership',
  routes: ({ passwords }) => ownershipRoutes(passwords),
}
