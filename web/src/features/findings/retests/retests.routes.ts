import { createRoute } from '@tanstack/react-router'
import { definedParams, flag, type Raw, text, word } from '../../../search.ts'
import { engagement } from '../../../shell/routing/parents.ts'
import { filterSearch } from '../../../ui/filters/filters.ts'

const filters = filterSearch(['state'])

export const list = createRoute({
  getParentRoute: () => engagement,
  path: '/retests',
  validateSearch: (raw: Raw) => ({
    ...filters(raw),
    ...definedParams({ order: word(['asc', 'desc'] as const, raw.order), create: flag(raw.create) }),
  }),
})

export const one = createRoute({
  getParentRoute: () => engagement,
  path: '/retests/$retestId',
  validateSearch: (raw: Raw) => definedParams({ item: text(raw.item), left: flag(raw.left) }),
})
