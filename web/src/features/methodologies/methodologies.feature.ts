import { feature } from '../../feature.ts'
import { lazyPage } from '../../shell/routing/lazy-page.ts'
import { IconListDetails } from '../../ui/icons.tsx'
import { methodologiesPaths } from './methodologies.paths.ts'
import { list, methodology } from './methodologies.routes.ts'

export const methodologies = feature({
  routes: {
    organization: [
      lazyPage(list, () => import('./list/MethodologiesPage.tsx'), 'MethodologiesPage'),
      lazyPage(methodology, () => import('./methodology/MethodologyPage.tsx'), 'MethodologyPage'),
    ],
  },
  navigation: [
    {
      area: 'work',
      label: 'Methodologies',
      icon: IconListDetails,
      to: ({ slug }) => methodologiesPaths.methodologies(slug),
      keywords: 'checklist owasp wstg library',
    },
  ],
  live: { setting: ['listMethodologies', 'getMethodology'] },
})
