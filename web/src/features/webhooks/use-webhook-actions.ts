import { messageOf, useApiMutation } from '../../api/api.ts'
import { useOrganization } from '../../shell/context/organization.tsx'
import { toastError } from '../../ui/toasts/toast.ts'

/** Writes that need no dialog. */
export const useWebhookActions = () => {
  const { id } = useOrganization()
  const onError = (error: Error) => toastError(messageOf(error))
  return {
    test: useApiMutation(id, 'testWebhookEndpoint', { invalidates: [[id, 'listWebhookDeliveries']], onError }),
    resend: useApiMutation(id, 'resendWebhookDelivery', { invalidates: [[id, 'listWebhookDeliveries']], onError }),
    setEnabled: useApiMutation(id, 'updateWebhookEndpoint', {
      invalidates: [
        [id, 'listWebhookEndpoints'],
        [id, 'listWebhookDeliveries'],
      ],
      onError,
    }),
  }
}
