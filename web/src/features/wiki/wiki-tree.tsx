import type { Output } from '@sortie/client/calls.ts'
import { createContext, useContext } from 'react'
import { query } from '../../api/api.ts'
import { paths } from '../../paths.ts'
import { useOrganization } from '../../shell/context/organization.tsx'

export type PageSummary = Output<'listWikiPages'>['data'][number]
export type WikiPage = Output<'getWikiPage'>['data']

/** The open wiki: of an engagement, or of the organization. */
export interface OpenWiki {
  /** Null for the organization. */
  engagementId: string | null
  /** For the browser tab. */
  name: string
  mayWrite: boolean
}

const WikiContext = createContext<OpenWiki | undefined>(undefined)

export const WikiProvider = WikiContext.Provider

export const useWiki = () => {
  const wiki = useContext(WikiContext)
  const { id, slug } = useOrganization()
  if (!wiki) throw new Error('useWiki is for the pages of a wiki')
  const { engagementId } = wiki
  return {
    ...wiki,
    organizationId: id,
    home: engagementId === null ? paths.wiki(slug) : paths.engagementWiki(slug, engagementId),
    addressOf: (pageId: string, engagement = engagementId) =>
      engagement === null ? paths.wikiPage(slug, pageId) : paths.engagementWikiPage(slug, engagement, pageId),
    /** Query that selects one tree. */
    treeQuery: engagementId === null ? ({ organization: true } as const) : ({ engagementId } as const),
  }
}

/** Reads all pages of the open wiki, depth first. */
export const useWikiTree = () => {
  const { organizationId, treeQuery } = useWiki()
  return query(organizationId, 'listWikiPages', { query: { ...treeQuery, tree: true } })
}

/** Level of each page, from 1. Requires depth-first order: parents before their children. */
export const levelsOf = (pages: readonly PageSummary[]): Map<string, number> => {
  const levels = new Map<string, number>()
  for (const { id, parentId } of pages) levels.set(id, parentId === null ? 1 : (levels.get(parentId) ?? 0) + 1)
  return levels
}

/** All pages except one and its descendants. */
export const withoutBranch = (pages: readonly PageSummary[], pageId: string): PageSummary[] => {
  const branch = new Set([pageId])
  for (const { id, parentId } of pages) if (parentId !== null && branch.has(parentId)) branch.add(id)
  return pages.filter(({ id }) => !branch.has(id))
}

/** Ancestors of a page, from the top. */
export const ancestorsOf = (pages: readonly PageSummary[], pageId: string): PageSummary[] => {
  const byId = new Map(pages.map((page) => [page.id, page]))
  const ancestors: PageSummary[] = []
  for (let at = byId.get(byId.get(pageId)?.parentId ?? ''); at; at = byId.get(at.parentId ?? '')) ancestors.unshift(at)
  return ancestors
}
