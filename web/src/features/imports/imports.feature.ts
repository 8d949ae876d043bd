import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { feature } from '../../feature.ts'
import { engagement, readers } from '../../shell/parents.ts'
import { IconFileImport } from '../../ui/icons.tsx'
import { importsSearch } from './imports-search.ts'
import { importsPaths } from './imports.paths.ts'

const list = createRoute({
  getParentRoute: () => engagement,
  path: '/imports',
  validateSearch: importsSearch,
  component: lazyRouteComponent(() => import('./ImportsPage.tsx'), 'ImportsPage'),
})

const one = createRoute({
  getParentRoute: () => readers,
  path: '/imports/$importId',
  component: lazyRouteComponent(() => import('./OpenImport.tsx'), 'OpenImport'),
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
