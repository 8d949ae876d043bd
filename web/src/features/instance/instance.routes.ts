import { MAIL_STATUSES } from '@sortie/contract/organization/invitations.ts'
import { createRoute } from '@tanstack/react-router'
import { page, type Raw, definedParams, text, word } from '../../search.ts'
import { instance as parent } from '../../shell/routing/parents.ts'

const found = (raw: Raw) => definedParams({ search: text(raw.search), page: page(raw.page) })

export const overview = createRoute({
  getParentRoute: () => parent,
  path: '/overview',
})

export const checks = createRoute({
  getParentRoute: () => parent,
  path: '/checks',
})

export const organizations = createRoute({
  getParentRoute: () => parent,
  path: '/organizations',
  validateSearch: found,
})

export const accounts = createRoute({
  getParentRoute: () => parent,
  path: '/accounts',
  validateSearch: (raw: Raw) =>
    definedParams({ ...found(raw), state: word(['active', 'disabled'] as const, raw.state) }),
})

export const mails = createRoute({
  getParentRoute: () => parent,
  path: '/mails',
  validateSearch: (raw: Raw) => definedParams({ status: word(MAIL_STATUSES, raw.status) }),
})

export const jobs = createRoute({
  getParentRoute: () => parent,
  path: '/jobs',
})
