import { useApiMutation } from '../../api.ts'
import { ProofForm } from '../../shell/ProofForm.tsx'
import { useAccount } from '../../shell/session.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { toast } from '../../ui/toast.ts'
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
    <ProofForm label="Remove" danger error={remove.error} loading={remove.isPending} onSubmit={(body) => remove.mutate({ body })} onClose={onClose}>
      {isLast ? 'After that only the password protects this account.' : 'Its codes stop working; your passkeys still work.'}
      {isLast && requiredBy && ` You lose access to ${requiredBy} until you set it up again.`}
    </ProofForm>
  )
}
