import { createRoute } from '@tanstack/react-router'
import { feature } from '../../feature.ts'
import { lazyPage } from '../../shell/routing/lazy-page.ts'
import { engagement, readers } from '../../shell/routing/parents.ts'
import { IconFileImport } from '../../ui/icons.tsx'
import { importsPaths } from './imports.paths.ts'
import { importsSearch } from './list/imports-search.ts'

const list = createRoute({
  getParentRoute: () => engagement,
  path: '/imports',
  validateSearch: importsSearch,
  component: lazyPage(() => import('./list/ImportsPage.tsx'), 'ImportsPage'),
})

const one = createRoute({
  getParentRoute: () => readers,
  path: '/imports/$importId',
  component: lazyPage(() => import('./OpenImport.tsx'), 'OpenImport'),
})

export const imports = feature({
  routes: { readers: [one], engagement: [list] },
  navigation: [
    {
      area: 'engagement',
      group: 'recon',
      label: 'Imports',
      to: ({ slug, engagementId }) => importsPaths.imports(slug, engagementId),
      icon: IconFileImport,
      key: 'I',
      keywords: 'nmap nessus nuclei burp upload scanner file',
    },
  ],
  live: { import: ['listImports', 'getImport', 'listRejections'] },
})
