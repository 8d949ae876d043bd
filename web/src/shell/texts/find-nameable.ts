import { call, reportFailure } from '../../api/api.ts'
import { SINGULARS } from '../../domain/objects.ts'
import type { Nameable } from '../../ui/text-editor/reference-completion.ts'

const MAX_OFFERED = 10
/** Pages of the open wiki are referenced by title in the wiki, which is readable in the text; everything else by id. */
const HAS_BRACKETS = /[[\]]/

/** Types that no text references. */
const UNNAMED: ReadonlySet<string> = new Set(['engagement', 'library_entry', 'retest'])

/**
 * Search results of the server, with the reference that a text uses for each.
 * @param wikiOf the engagement of the open wiki, null for the organization's; undefined: everything is referenced by id
 */
export const findNameable = async (
  organizationId: string,
  wikiOf: string | null | undefined,
  words: string,
): Promise<Nameable[]> => {
  if (words === '') return []
  const found = await call(organizationId, 'search', { query: { q: words } }).catch(reportFailure)
  return (found?.data ?? [])
    .filter(({ type }) => !UNNAMED.has(type))
    .slice(0, MAX_OFFERED)
    .map((hit) => ({
      title: hit.title,
      kind: SINGULARS[hit.type],
      reference:
        hit.type === 'page' && hit.engagementId === wikiOf && !HAS_BRACKETS.test(hit.title) ? hit.title : hit.id,
    }))
}
