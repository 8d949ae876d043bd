import * as contract from '@sortie/contract/findings/library-transfer.ts'
import { type Route, route } from '../../../platform/http/routes/route.ts'
import { exportLibrary } from './export-library.ts'
import { createReadLibraryFile, importLibrary } from './import.service.ts'

export const libraryTransferRoutes = (): Route[] => {
  const read = createReadLibraryFile()
  return [
    route(contract.exportLibraryEntries, async ({ db, actor, query }) =>
      exportLibrary(db, actor.organizationId, query.format),
    ),

    route(contract.importLibraryEntries, async (context) => ({
      data: await importLibrary(context, context.actor, read, context.body, context.query),
    })),
  ]
}
