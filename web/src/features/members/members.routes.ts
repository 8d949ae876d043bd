import { ROLES } from '@sortie/contract/core/scopes.ts'
import { createRoute } from '@tanstack/react-router'
import { flag, page, type Raw, definedParams, word } from '../../search.ts'
import { organization } from '../../shell/routing/parents.ts'

export const settingsPage = createRoute({
  getParentRoute: () => organization,
  path: '/settings/members',
  validateSearch: (raw: Raw) =>
    definedParams({ role: word(ROLES, raw.role), page: page(raw.page), invite: flag(raw.invite) }),
})
