import { call, reportFailure } from '../../api.ts'
import { SINGULARS } from '../../shell/objects.ts'
import type { Nameable } from './reference-completion.ts'

const MAX_OFFERED = 10
/** A page of the open wiki is named by its title, which people can read in the text; all else by its id. */
const HAS_BRACKETS = /[[\]]/

/** What the server's search has for these words, as a text of this wiki names it. */
export const findNameable = async (organizationId: string, engagementId: string | null, words: string): Promise<Nameable[]> => {
  if (words === '') return []
  const found = await call(organizationId, 'search', { query: { q: words } }).catch(reportFailure)
  return (found?.data ?? [])
    .filter(({ type }) => type !== 'engagement')
    .slice(0, MAX_OFFERED)
    .map((hit) => ({
      title: hit.title,
      kind: SINGULARS[hit.type],
      reference: hit.type === 'page' && hit.engagementId === engagementId && !HAS_BRACKETS.test(hit.title) ? hit.title : hit.id,
    }))
}
