import type { Actor } from '../../platform/auth/actor.ts'
import type { Database } from '../../platform/database/connection/open.ts'
import { invalid } from '../../platform/errors.ts'
import type { TitleSources } from '../../platform/text/titles.ts'
import type { LinkRow } from './tasks.queries.ts'

/** A link in a request. */
export interface WantedLink {
  type: LinkRow['type']
  id: string
}

/** A link in a response. */
export interface ShownLink extends WantedLink {
  /** Null for a caller without the scope of its type. */
  title: string | null
  deleted: boolean
}

/** Groups links by type. */
const byType = (links: readonly WantedLink[]): Map<string, string[]> => {
  const ids = new Map<string, string[]>()
  for (const { type, id } of links) ids.set(type, [...(ids.get(type) ?? []), id])
  return ids
}

/**
 * The links of a task with the current titles of their objects. Existing links stay, even if their object was deleted;
 * duplicates are dropped.
 *
 * @throws ApiError VALIDATION_ERROR for an object that is hidden from the caller, or of another engagement
 */
export const resolveLinks = async (
  db: Database,
  sources: TitleSources,
  actor: Actor,
  engagementId: string,
  wanted: readonly WantedLink[],
  had: readonly LinkRow[],
): Promise<LinkRow[]> => {
  const known = new Map(had.map((link) => [link.id, link]))
  const distinct = [...new Map(wanted.map((link) => [link.id, link])).values()]
  const found = new Map<string, string>()
  for (const [type, ids] of byType(distinct.filter(({ id }) => !known.has(id)))) {
    const source = sources.get(type)
    if (!source || !actor.scopes.has(source.scope)) continue
    for (const [id, titled] of await source.find(db, actor.organizationId, ids)) {
      if (titled.engagementId === null || titled.engagementId === engagementId) found.set(id, titled.title)
    }
  }
  return distinct.map(({ type, id }) => {
    const title = known.get(id)?.title ?? found.get(id)
    if (title === undefined || (known.has(id) && known.get(id)?.type !== type)) {
      throw invalid(
        `links.${wanted.findIndex((link) => link.id === id)}.id: must be a ${type} of this engagement or of the organization that you can see`,
      )
    }
    return { type, id, title }
  })
}

/** Links of many tasks as the caller may see them, with one query per type. */
export const showLinks = async (
  db: Database,
  sources: TitleSources,
  actor: Actor,
  links: readonly LinkRow[],
): Promise<Map<string, ShownLink>> => {
  const shown = new Map<string, ShownLink>()
  const titles = new Map<string, string>()
  for (const [type, ids] of byType(links)) {
    const source = sources.get(type)
    if (!source) continue
    for (const [id, { title }] of await source.find(db, actor.organizationId, [...new Set(ids)])) titles.set(id, title)
  }
  for (const { type, id, title } of links) {
    const mayRead = actor.scopes.has(sources.get(type)?.scope ?? 'tasks:read')
    shown.set(id, { type, id, title: mayRead ? (titles.get(id) ?? title) : null, deleted: !titles.has(id) })
  }
  return shown
}
