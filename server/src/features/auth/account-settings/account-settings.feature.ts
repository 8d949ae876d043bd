import type { Feature } from '../../../platform/feature.ts'
import type { Passwords } from '../passwords/passwords.ts'
import { accountRoutes } from './account-settings.routes.ts'

export const accountSettings: Feature<{ passwords: Passwords }> = {
  name: 'account-settings',
  routes: ({ passwords }) => accountRoutes(passwords),
}
