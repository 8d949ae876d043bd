import type { Feature } from '../../platform/feature.ts'
import type { Passwords } from '../identity/accounts/passwords.ts'
import { organizationRoutes } from './organizations.routes.ts'

export const organizations: Feature<{ passwords: Passwords }> = { name: 'organizations', routes: ({ passwords }) => organizationRoutes(passwords) }
