import { LINK_TYPES, type LinkType } from '@sortie/contract/wiki/wiki-content.ts'
import type { Actor } from '../../../platform/auth/actor.ts'
import type { Database } from '../../../platform/database/connection/open.ts'
import { notFound } from '../../../platform/errors.ts'
import type { TitleSources } from '../../../platform/text/titles.ts'
import { findPageSummary } from '../pages/pages.queries.ts'
import { type LinkRow, listLinks, listPageTitles } from './links.queries.ts'

const TYPE_OF = new Map(Object.entries(LINK_TYPES).map(([type, prefix]) => [prefix as string, type as LinkType]))

/** Only pages can be named without an id. */
const typeOf = ({ target_id }: LinkRow): LinkType =>
  target_id === null ? 'page' : (TYPE_OF.get(target_id.slice(0, 3)) ?? 'page')

/** The objects that a page refers to, as far as the caller sees them. @throws ApiError NOT_FOUND */
export const listWikiLinks = async (db: Database, titleSources: TitleSources, actor: Actor, pageId: string) => {
  const { organizationId } = actor
  const [page, links] = await Promise.all([
    findPageSummary(db, organizationId, pageId),
    listLinks(db, organizationId, pageId),
  ])
  if (!page) throw notFound()
  const pages = links.flatMap((link) => (link.target_id !== null && typeOf(link) === 'page' ? [link.target_id] : []))
  const seen = new Set((await listPageTitles(db, organizationId, pages)).map(({ id }) => id))
  const titled = new Map(
    await Promise.all(
      [...TYPE_OF.values()].map(async (type) => [type, await titlesOf(db, titleSources, actor, type, links)] as const),
    ),
  )
  return links.map((link) => {
    const type = typeOf(link)
    const titles = titled.get(type)
    const named = link.target_id === null ? undefined : titles?.get(link.target_id)
    const isById = link.reference === link.target_id
    return {
      reference: link.reference,
      type,
      // A title whose page is hidden stays unresolved.
      id: named || isById ? link.target_id : null,
      engagementId: named?.engagementId ?? null,
      title: named?.title ?? null,
      // The response must not distinguish a title of a hidden page from a title of no page.
      deleted: titles !== undefined && link.target_id !== null && !named && (isById || seen.has(link.target_id)),
    }
  })
}

/** @returns undefined if the caller may not read this type, or the type has no objects yet */
const titlesOf = async (
  db: Database,
  titleSources: TitleSources,
  { organizationId, scopes }: Actor,
  type: LinkType,
  links: readonly LinkRow[],
) => {
  const source = titleSources.get(type)
  if (!source || !scopes.has(source.scope)) return undefined
  const ids = links
    .filter((link) => link.target_id !== null && typeOf(link) === type)
    .map(({ target_id }) => target_id as string)
  return source.find(db, organizationId, [...new Set(ids)])
}
