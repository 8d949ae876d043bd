import * as contract from '@sortie/contract/findings/library.ts'
import type { Route } from '../../platform/http/routes/route.ts'
import { fileRoutesOf } from '../files/file-routes.ts'
import type { FileHolder } from '../files/files.service.ts'
import { lockForFiles, requireEntry, requireHoldsFiles } from './entries/entries.service.ts'

const ofEntries: FileHolder = {
  type: 'library_entry',
  find: async (db, organizationId, entryId) => {
    await requireEntry(db, organizationId, entryId)
  },
  requireWritable: async (db, organizationId, entryId) =>
    requireHoldsFiles(await requireEntry(db, organizationId, entryId)),
  hold: async (tx, actor, entryId) => {
    await lockForFiles(tx, actor, entryId)
    return { engagementId: null }
  },
}

const ENDPOINTS = {
  upload: contract.uploadLibraryEntryFile,
  list: contract.listLibraryEntryFiles,
  download: contract.downloadLibraryEntryFile,
  remove: contract.deleteLibraryEntryFile,
}

export const libraryFileRoutes: Route[] = fileRoutesOf(ENDPOINTS, ofEntries, 'entryId')
