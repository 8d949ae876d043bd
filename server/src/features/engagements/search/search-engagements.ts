import type { SearchPart } from '../../../platform/search/part.ts'
import { listEngagementsWithWords } from './search-engagements.queries.ts'

/** Searches engagements by name, client and description. An organization has thousands at most: no index is needed. */
export const engagementSearch: SearchPart = {
  type: 'engagement',
  guard: 'setting:ENGAGEMENT_READ_SCOPE',
  find: (db, { organizationId }, { words, engagementId, limit }) =>
    listEngagementsWithWords(db, organizationId, words, engagementId, limit),
}
