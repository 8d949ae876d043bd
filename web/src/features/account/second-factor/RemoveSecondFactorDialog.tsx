import { useApiMutation } from '../../../api/api.ts'
import { useAccount } from '../../../shell/context/session.tsx'
import { ProofForm } from '../../../shell/proof/ProofForm.tsx'
import { Dialog } from '../../../ui/dialogs/Dialog.tsx'
import { toast } from '../../../ui/toasts/toast.ts'
import { FACTOR_READS } from './factor-reads.ts'

export const RemoveSecondFactorDialog = ({ opened, onClose }: { opened: boolean; onClose: () => void }) => (
  <Dialog opened={opened} onClose={onClose} title="Remove the authenticator app?">
    <RemoveForm onClose={onClose} />
  </Dialog>
)

const RemoveForm = ({ onClose }: { onClose: () => void }) => {
  const { secondFactor } = useAccount()
  const remove = useApiMutation(null, 'removeSecondFactor', {
    invalidates: FACTOR_READS,
    onSuccess: () => {
      toast('Authenticator app removed.')
      onClose()
    },
  })
  const isLast = secondFactor.passkeys === 0
  const requiredBy = secondFactor.requiredBy.map(({ name }) => name).join(', ')
  return (
    <ProofForm
      label="Remove"
      danger
      error={remove.error}
      loading={remove.isPending}
      onSubmit={(body) => remove.mutate({ body })}
      onClose={onClose}
    >
      {isLast
        ? 'After that only the password protects this account.'
        : 'Its codes stop working; your passkeys still work.'}
      {isLast && requiredBy && ` You lose access to ${requiredBy} until you set it up again.`}
    </ProofForm>
  )
}
