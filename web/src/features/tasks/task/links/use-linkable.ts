import { LINK_TYPES } from '@sortie/contract/tasks/tasks.ts'
import { useQueries, useQuery } from '@tanstack/react-query'
import { query } from '../../../../api/api.ts'
import { useOrganization } from '../../../../shell/context/organization.tsx'
import { keepPrevious } from '../../../../ui/lists/keep-previous.ts'
import type { LinkType } from './link-types.ts'

export interface Linkable {
  type: LinkType
  id: string
  title: string
}

const isLinkType = (type: string): type is LinkType => (LINK_TYPES as readonly string[]).includes(type)

/** Object types that belong to the organization and not to an engagement. */
const OF_ORGANIZATION = ['page', 'request'] as const
/** The search does not cover scans, so this filters the newest ones. */
const SCANS = 100
const SCANS_STALE_MS = 60_000

/** Objects that a task of the engagement can link to: matches in the engagement and in the organization. */
export const useLinkable = (engagementId: string, q: string): { found: Linkable[]; isFetching: boolean } => {
  const { id } = useOrganization()
  const own = useQuery({
    ...query(id, 'search', { query: { q, engagementId } }),
    enabled: q !== '',
    placeholderData: keepPrevious([id, 'search']),
  })
  const ofOrganization = useQueries({
    queries: OF_ORGANIZATION.map((type) => ({
      ...query(id, 'search', { query: { q, type: [type] } }),
      enabled: q !== '',
    })),
  })
  const scans = useQuery({
    ...query(id, 'listScans', { query: { engagementId, perPage: SCANS } }),
    enabled: q !== '',
    staleTime: SCANS_STALE_MS,
  })
  const hits = [
    ...(own.data?.data ?? []),
    ...ofOrganization.flatMap(({ data }) => data?.data.filter((hit) => hit.engagementId === null) ?? []),
  ].flatMap(({ type, id: hitId, title }) => (isLinkType(type) ? [{ type, id: hitId, title }] : []))
  const named = (scans.data?.data ?? []).filter(({ name }) => name.toLowerCase().includes(q.toLowerCase()))
  return {
    found:
      q === '' ? [] : [...hits, ...named.map((scan) => ({ type: 'scan' as const, id: scan.id, title: scan.name }))],
    isFetching: own.isFetching || scans.isFetching || ofOrganization.some(({ isFetching }) => isFetching),
  }
}
