import { createRoute } from '@tanstack/react-router'
import { flag, type Raw, definedParams, text } from '../../search.ts'
import { admins } from '../../shell/routing/parents.ts'

const search = (raw: Raw) =>
  definedParams({
    create: flag(raw.create),
    /** The endpoint whose deliveries are shown. */
    endpoint: text(raw.endpoint),
  })

export const page = createRoute({
  getParentRoute: () => admins,
  path: '/settings/webhooks',
  validateSearch: search,
})
