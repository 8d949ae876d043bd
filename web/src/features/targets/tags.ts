import { useQuery } from '@tanstack/react-query'
import { query } from '../../api/api.ts'
import { useOrganization } from '../../shell/context/organization.tsx'

const SHOWN_TAGS = 50

/** Tag suggestions of an engagement, most frequent first; empty if there are too many targets to count. */
export const useTags = (engagementId: string): readonly string[] => {
  const organization = useOrganization()
  const counts = useQuery({
    ...query(organization.id, 'countTargets', { query: { engagementId, by: ['tag'] } }),
    select: ({ data }) =>
      Object.entries(data.tag ?? {})
        .toSorted(([, a], [, b]) => Number(b) - Number(a))
        .slice(0, SHOWN_TAGS)
        .map(([tag]) => tag),
  })
  return counts.data ?? NONE
}

const NONE: readonly string[] = []
