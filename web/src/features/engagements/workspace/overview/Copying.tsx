import { Alert } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { query } from '../../../../api/api.ts'
import { useEngagement } from '../../../../shell/context/engagement.tsx'
import { useOrganization } from '../../../../shell/context/organization.tsx'
import { capitalised } from '../../../../ui/text/capitalised.ts'

/** Shown on an incomplete clone: what is still being copied, or why copying failed. */
export const Copying = () => {
  const organization = useOrganization()
  const { engagement } = useEngagement()
  const overview = useQuery(
    query(organization.id, 'getEngagementOverview', { params: { engagementId: engagement.id } }),
  )
  const copying = overview.data?.data.copying
  if (!copying) return null
  if (copying.state === 'running') {
    return (
      <Alert role="status" title={`Still copying: ${copying.part}`}>
        This engagement is a clone of a large one. The rest is copied in the background; you can continue to work.
      </Alert>
    )
  }
  return (
    <Alert role="alert" color="red" title={`Not everything was copied: ${copying.part} ended`}>
      {capitalised(copying.reason ?? '')} What was copied is kept. Clone the engagement again, or delete this one.
    </Alert>
  )
}
