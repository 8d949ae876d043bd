import { createRoute } from '@tanstack/react-router'
import { feature } from '../../feature.ts'
import { flag, type Raw, definedParams, text, word } from '../../search.ts'
import { lazyPage } from '../../shell/routing/lazy-page.ts'
import { organization } from '../../shell/routing/parents.ts'
import { filterSearch } from '../../ui/filters/filters.ts'
import { IconListDetails } from '../../ui/icons.tsx'
import { methodologiesPaths } from './methodologies.paths.ts'

const filters = filterSearch([])

const list = createRoute({
  getParentRoute: () => organization,
  path: '/methodologies',
  validateSearch: (raw: Raw) => ({
    ...filters(raw),
    ...definedParams({
      sort: word(['name', 'createdAt', 'updatedAt'] as const, raw.sort),
      order: word(['asc', 'desc'] as const, raw.order),
      create: flag(raw.create),
    }),
  }),
  component: lazyPage(() => import('./list/MethodologiesPage.tsx'), 'MethodologiesPage'),
})
const methodology = createRoute({
  getParentRoute: () => organization,
  path: '/methodologies/$methodologyId',
  validateSearch: (raw: Raw) => definedParams({ peek: text(raw.peek), dialog: word(['details', 'item'] as const, raw.dialog) }),
  component: lazyPage(() => import('./methodology/MethodologyPage.tsx'), 'MethodologyPage'),
})

export const methodologies = feature({
  routes: { organization: [list, methodology] },
  navigation: [
    {
      area: 'work',
      label: 'Methodologies',
      icon: IconListDetails,
      to: ({ slug }) => methodologiesPaths.methodologies(slug),
      keywords: 'checklist owasp wstg library',
    },
  ],
})
