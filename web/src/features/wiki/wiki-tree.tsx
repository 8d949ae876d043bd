import type { Output } from '@sortie/client/calls.ts'
import { useQuery } from '@tanstack/react-query'
import { createContext, useContext, useMemo } from 'react'
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

/** Events tell when the tree changes. Until then it is read once, not with each page that is opened: it may be large. */
const TREE_FRESH_MS = 60_000
/** Pages that people change within a moment. */
const CHANGED_LAST = 20

/** Reads all pages of the open wiki, depth first. */
export const useWikiTree = () => {
  const { organizationId, treeQuery } = useWiki()
  return {
    ...query(organizationId, 'listWikiPages', { query: { ...treeQuery, tree: true } }),
    staleTime: TREE_FRESH_MS,
  }
}

/**
 * The pages of the open wiki under their current titles. Those that changed last are read apart: for a new title, or a
 * saved text, the tree is not read again.
 */
export const useShownTree = () => {
  const { organizationId, treeQuery } = useWiki()
  const tree = useQuery(useWikiTree())
  const changed = useQuery(
    query(organizationId, 'listWikiPages', {
      query: { ...treeQuery, sort: 'updatedAt', order: 'desc', perPage: CHANGED_LAST },
    }),
  ).data?.data
  const pages = useMemo(() => {
    const newer = new Map(changed?.map((page) => [page.id, page]))
    return (tree.data?.data ?? []).map((page) => {
      const now = newer.get(page.id)
      return now && now.updatedAt > page.updatedAt ? { ...page, title: now.title } : page
    })
  }, [tree.data, changed])
  return { tree, pages }
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
