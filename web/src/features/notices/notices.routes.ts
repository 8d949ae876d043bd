import { createRoute } from '@tanstack/react-router'
import { flag, type Raw, definedParams } from '../../search.ts'
import { organization } from '../../shell/routing/parents.ts'

export const inbox = createRoute({
  getParentRoute: () => organization,
  path: '/inbox',
  validateSearch: (raw: Raw) => definedParams({ unread: flag(raw.unread) }),
})
