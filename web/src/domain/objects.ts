import type { SEARCH_TYPES } from '@sortie/contract/core/search.ts'
import { paths } from '../paths.ts'

/** Types of search hits and link targets. */
type ObjectType = (typeof SEARCH_TYPES)[number]

export const PLURALS: Readonly<Record<ObjectType, string>> = {
  engagement: 'Engagements',
  page: 'Wiki pages',
  target: 'Targets',
  task: 'Tasks',
  result: 'Results',
  request: 'Requests',
  finding: 'Findings',
  library_entry: 'Library entries',
  retest: 'Retests',
  report: 'Reports',
}

export const SINGULARS: Readonly<Record<ObjectType, string>> = {
  engagement: 'Engagement',
  page: 'Wiki page',
  target: 'Target',
  task: 'Task',
  result: 'Result',
  request: 'Request',
  finding: 'Finding',
  library_entry: 'Library entry',
  retest: 'Retest',
  report: 'Report',
}

interface PlacedObject {
  type: ObjectType
  id: string
  /** Null: an object of the organization. */
  engagementId: string | null
}

/** Address of an object, for the router. */
export const objectAddress = (
  slug: string,
  { type, id, engagementId }: PlacedObject,
): { to: string; search?: { peek: string } } => {
  if (type === 'engagement') return { to: paths.engagement(slug, id) }
  if (type === 'task') return { to: paths.task(slug, id) }
  if (type === 'request') return { to: paths.openRequest(slug, id) }
  if (type === 'finding') return { to: paths.findingById(slug, id) }
  if (type === 'library_entry') return { to: paths.libraryEntry(slug, id) }
  if (type === 'retest' && engagementId !== null) return { to: paths.retest(slug, engagementId, id) }
  if (type === 'report' && engagementId !== null) return { to: paths.report(slug, engagementId, id) }
  if (engagementId === null) return { to: paths.wikiPage(slug, id) }
  if (type === 'page') return { to: paths.engagementWikiPage(slug, engagementId, id) }
  return {
    to: type === 'target' ? paths.targets(slug, engagementId) : paths.results(slug, engagementId),
    search: { peek: id },
  }
}
