import { createRoute } from '@tanstack/react-router'
import { flag, type Raw, definedParams } from '../../search.ts'
import { admins } from '../../shell/routing/parents.ts'

export const settingsPage = createRoute({
  getParentRoute: () => admins,
  path: '/settings/domains',
  validateSearch: (raw: Raw) => definedParams({ claim: flag(raw.claim) }),
})
