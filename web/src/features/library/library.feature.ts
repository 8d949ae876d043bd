import { feature } from '../../feature.ts'
import { lazyPage } from '../../shell/routing/lazy-page.ts'
import { IconBooks } from '../../ui/icons.tsx'
import { libraryPaths } from './library.paths.ts'
import { entry, list } from './library.routes.ts'

export const library = feature({
  routes: {
    organization: [
      lazyPage(list, () => import('./list/LibraryPage.tsx'), 'LibraryPage'),
      lazyPage(entry, () => import('./entry/EntryPage.tsx'), 'EntryPage'),
    ],
  },
  navigation: [
    {
      area: 'work',
      label: 'Library',
      to: ({ slug }) => libraryPaths.library(slug),
      icon: IconBooks,
      key: 'L',
      keywords: 'templates texts findings vulnerabilities knowledge base',
    },
  ],
  live: {
    library_entry: ['listLibraryEntries', 'getLibraryEntry', 'listLibraryVersions', 'getLibraryDiff'],
    file: ['listLibraryEntryFiles'],
  },
})
