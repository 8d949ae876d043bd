import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { query } from '../../api/api.ts'
import { useOrganization } from '../../shell/context/organization.tsx'
import type { OpenWiki } from './wiki-tree.tsx'

/** The wiki of the engagement in the address. Read-only if archived. */
export const useEngagementPlace = (): OpenWiki => {
  const { id } = useOrganization()
  const { engagementId = '' } = useParams({ strict: false })
  const { data } = useQuery(query(id, 'getEngagement', { params: { engagementId } }))
  return {
    engagementId,
    name: data?.data.name ?? 'Engagement',
    mayWrite: data !== undefined && data.data.status !== 'archived',
  }
}
