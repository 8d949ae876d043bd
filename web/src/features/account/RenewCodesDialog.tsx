import { useState } from 'react'
import { useCommand } from '../../api.ts'
import { PasswordStep } from '../../shell/PasswordStep.tsx'
import { given } from '../../shell/Proof.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { RecoveryCodes } from './RecoveryCodes.tsx'

export const RenewCodesDialog = ({ opened, onClose }: { opened: boolean; onClose: () => void }) => {
  const [codes, setCodes] = useState<readonly string[]>()
  const renew = useCommand(null, 'renewRecoveryCodes', { invalidates: [[null, 'getAccount']], onSuccess: ({ data }) => setCodes(data.recoveryCodes) })
  const close = () => {
    setCodes(undefined)
    renew.reset()
    onClose()
  }
  return (
    <Dialog opened={opened} onClose={close} title="New recovery codes" insistent={codes !== undefined}>
      {codes ? (
        <RecoveryCodes codes={codes} onClose={close} />
      ) : (
        <PasswordStep
          label="Make new codes"
          error={renew.error}
          loading={renew.isPending}
          onSubmit={(password) => renew.mutate({ body: given(password) })}
          onClose={close}
        >
          The old codes stop working at once.
        </PasswordStep>
      )}
    </Dialog>
  )
}
