import type { SearchPart } from '../../../../platform/search/part.ts'
import { listPagesWithWords } from './search-pages.queries.ts'

/** Searches pages by title and text. */
export const pageSearch: SearchPart = {
  type: 'page',
  guard: 'wiki:read',
  find: (db, { organizationId, viewer }, { words, engagementId, limit }) =>
    listPagesWithWords(db, organizationId, viewer, words, engagementId, limit),
}
