import { useState } from 'react'
import { useApiMutation } from '../../../api/api.ts'
import { HeldDialog, useHold } from '../../../shell/proof/HeldDialog.tsx'
import { ProofForm } from '../../../shell/proof/ProofForm.tsx'
import { REMINDER, RecoveryCodes } from './RecoveryCodes.tsx'

export const RenewCodesDialog = ({ opened, onClose }: { opened: boolean; onClose: () => void }) => {
  const [codes, setCodes] = useState<readonly string[]>()
  const close = () => {
    setCodes(undefined)
    onClose()
  }
  return (
    <HeldDialog opened={opened} onClose={close} title="New recovery codes" reminder={REMINDER}>
      {codes ? <RecoveryCodes codes={codes} onClose={close} /> : <RenewForm onCodes={setCodes} onClose={close} />}
    </HeldDialog>
  )
}

const RenewForm = ({ onCodes, onClose }: { onCodes: (codes: readonly string[]) => void; onClose: () => void }) => {
  const renew = useApiMutation(null, 'renewRecoveryCodes', {
    invalidates: [[null, 'getAccount']],
    onSuccess: ({ data }) => onCodes(data.recoveryCodes),
  })
  useHold(renew.isPending)
  return (
    <ProofForm
      label="Create new codes"
      error={renew.error}
      loading={renew.isPending}
      onSubmit={(body) => renew.mutate({ body })}
      onClose={onClose}
    >
      The old codes stop working immediately.
    </ProofForm>
  )
}
