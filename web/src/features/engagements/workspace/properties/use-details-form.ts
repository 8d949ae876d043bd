import { useQueryClient } from '@tanstack/react-query'
import { query } from '../../../../api/api.ts'
import { useSend } from '../../../../api/use-send.ts'
import { useDraftForm } from '../../../../forms/use-draft-form.ts'
import { type EngagementDetails, useEngagement } from '../../../../shell/context/engagement.tsx'
import { useOrganization } from '../../../../shell/context/organization.tsx'
import { staleDetails } from './use-set-details.ts'

/** A form with one field of the details of the open engagement, which is sent as a whole. */
export const useDetailsForm = <K extends 'contacts' | 'testingHours'>(field: K, draft: string, onSaved: () => void) => {
  const organization = useOrganization()
  const { details } = useEngagement()
  const cache = useQueryClient()
  const params = { engagementId: details.engagementId }
  const send = useSend(organization.id, 'updateEngagementDetails', staleDetails(organization.id))
  const savedOf = (stored: EngagementDetails) => ({
    values: { [field]: stored[field] } as Pick<EngagementDetails, K>,
    version: stored.updatedAt,
  })
  return useDraftForm({
    draft: `${draft}/${details.engagementId}`,
    saved: savedOf(details),
    send: (values, ifUpdatedAt) => send({ params, body: { ...values, ...(ifUpdatedAt && { ifUpdatedAt }) } }),
    reread: async () =>
      savedOf((await cache.fetchQuery(query(organization.id, 'getEngagementDetails', { params }))).data),
    onSaved,
  })
}
