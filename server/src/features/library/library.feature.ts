import type { ProductFeature } from '../engagements/parts.ts'
import { libraryRoutes } from './entries/entries.routes.ts'
import { libraryFileRoutes } from './entry-files.routes.ts'
import { librarySearch } from './search-library.ts'
import { libraryTransferRoutes } from './transfer/transfer.routes.ts'

export const library: ProductFeature = {
  name: 'library',
  routes: () => [...libraryTransferRoutes(), ...libraryRoutes, ...libraryFileRoutes],
  search: librarySearch,
}
