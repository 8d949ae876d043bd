import { createRoute } from '@tanstack/react-router'
import { definedParams, flag, type Raw, text, word } from '../../search.ts'
import { admins } from '../../shell/routing/parents.ts'
import { filterSearch } from '../../ui/filters/filters.ts'

const filters = filterSearch(['state'])

export const list = createRoute({
  getParentRoute: () => admins,
  path: '/settings/report-templates',
  validateSearch: (raw: Raw) => ({
    ...filters(raw),
    ...definedParams({
      sort: word(['name', 'createdAt', 'updatedAt'] as const, raw.sort),
      order: word(['asc', 'desc'] as const, raw.order),
      create: flag(raw.create),
    }),
  }),
})

export const template = createRoute({
  getParentRoute: () => admins,
  path: '/settings/report-templates/$templateId',
  validateSearch: (raw: Raw) =>
    definedParams({
      view: word(['sections', 'files', 'typst'] as const, raw.view),
      language: text(raw.language),
      file: text(raw.file),
    }),
})
