import * as contract from '@sortie/contract/wiki/wiki-content.ts'
import { notFound } from '../../platform/errors.ts'
import { fileRoutesOf } from '../files/file-routes.ts'
import type { FileHolder } from '../files/files.service.ts'
import { lockWritablePage, requireWritablePage } from './pages/access.service.ts'
import { findPageSummary } from './pages/pages.queries.ts'

const endpoints = {
  upload: contract.uploadWikiPageFile,
  list: contract.listWikiPageFiles,
  download: contract.downloadWikiPageFile,
  remove: contract.deleteWikiPageFile,
}

/** Files of a page in the trash are hidden with it, until it is restored. */
export const filesOfPages: FileHolder = {
  type: 'page',
  find: async (db, organizationId, id) => {
    const page = await findPageSummary(db, organizationId, id)
    if (!page || page.trashed_at !== null) throw notFound()
  },
  requireWritable: requireWritablePage,
  hold: async (tx, actor, id) => ({ engagementId: (await lockWritablePage(tx, actor, id)).engagement_id }),
}

export const pageFileRoutes = fileRoutesOf(endpoints, filesOfPages, 'pageId')
