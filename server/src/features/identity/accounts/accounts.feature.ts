import type { Feature } from '../../../platform/feature.ts'
import { accountRoutes } from './accounts.routes.ts'
import type { Passwords } from './passwords.ts'

export const accounts: Feature<{ passwords: Passwords }> = { name: 'accounts', routes: ({ passwords }) => accountRoutes(passwords) }
