import { call, reportFailure } from '../../../api/api.ts'
import { SINGULARS } from '../../../domain/objects.ts'
import type { Nameable } from './reference-completion.ts'

const MAX_OFFERED = 10
/** Pages of the open wiki are referenced by title, which is readable in the text; everything else by id. */
const HAS_BRACKETS = /[[\]]/

/** Search results of the server, with the reference that this wiki uses for each. */
export const findNameable = async (
  organizationId: string,
  engagementId: string | null,
  words: string,
): Promise<Nameable[]> => {
  if (words === '') return []
  const found = await call(organizationId, 'search', { query: { q: words } }).catch(reportFailure)
  return (found?.data ?? [])
    .filter(({ type }) => type !== 'engagement')
    .slice(0, MAX_OFFERED)
    .map((hit) => ({
      title: hit.title,
      kind: SINGULARS[hit.type],
      reference:
        hit.type === 'page' && hit.engagementId === engagementId && !HAS_BRACKETS.test(hit.title) ? hit.title : hit.id,
    }))
}
