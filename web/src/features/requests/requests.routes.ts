import { createRoute } from '@tanstack/react-router'
import { type Raw, definedParams, text } from '../../search.ts'
import { engagement, organization } from '../../shell/routing/parents.ts'

/** `run`: the run whose response is shown. */
const shownOf = (raw: Raw) => definedParams({ run: text(raw.run) })

export const home = createRoute({
  getParentRoute: () => organization,
  path: '/requests',
})

export const open = createRoute({
  getParentRoute: () => organization,
  path: '/requests/$objectId',
  validateSearch: shownOf,
})

export const engagementHome = createRoute({
  getParentRoute: () => engagement,
  path: '/requests',
})

export const engagementOpen = createRoute({
  getParentRoute: () => engagement,
  path: '/requests/$objectId',
  validateSearch: shownOf,
})
