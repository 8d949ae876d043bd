import { feature } from '../../feature.ts'
import { lazyPage } from '../../shell/routing/lazy-page.ts'
import { IconFileImport } from '../../ui/icons.tsx'
import { importsPaths } from './imports.paths.ts'
import { list, one } from './imports.routes.ts'

export const imports = feature({
  routes: {
    readers: [lazyPage(one, () => import('./OpenImport.tsx'), 'OpenImport')],
    engagement: [lazyPage(list, () => import('./list/ImportsPage.tsx'), 'ImportsPage')],
  },
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
