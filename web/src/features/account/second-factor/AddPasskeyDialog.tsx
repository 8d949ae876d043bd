import { Text, TextInput } from '@mantine/core'
import type { Output } from '@sortie/client/calls.ts'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { formErrors, useApiMutation } from '../../../api/api.ts'
import { HeldDialog, useHold } from '../../../shell/proof/HeldDialog.tsx'
import { createPasskey, passkeyMessageOf } from '../../../shell/proof/passkeys.ts'
import { ProofForm } from '../../../shell/proof/ProofForm.tsx'
import { DialogForm } from '../../../ui/dialogs/DialogForm.tsx'
import { FACTOR_READS } from './factor-reads.ts'
import { REMINDER, RecoveryCodes } from './RecoveryCodes.tsx'

type Wish = Output<'startPasskey'>['data']

/** Proof, name, then passkey prompt; recovery codes follow if it is the first second factor. */
export const AddPasskeyDialog = ({ opened, onClose }: { opened: boolean; onClose: () => void }) => {
  const [codes, setCodes] = useState<readonly string[]>()
  const close = () => {
    setCodes(undefined)
    onClose()
  }
  return (
    <HeldDialog opened={opened} onClose={close} title={codes ? 'Recovery codes' : 'Add a passkey'} reminder={REMINDER}>
      {codes ? <RecoveryCodes codes={codes} onClose={close} /> : <Steps onClose={close} onCodes={setCodes} />}
    </HeldDialog>
  )
}

const Steps = ({ onClose, onCodes }: { onClose: () => void; onCodes: (codes: readonly string[]) => void }) => {
  const [wish, setWish] = useState<Wish>()
  const start = useApiMutation(null, 'startPasskey', { onSuccess: ({ data }) => setWish(data) })
  if (wish) return <MakeStep wish={wish} onClose={onClose} onCodes={onCodes} />
  return (
    <ProofForm
      label="Continue"
      error={start.error}
      loading={start.isPending}
      onSubmit={(body) => start.mutate({ body })}
      onClose={onClose}
    >
      A passkey is stored on a security key, a phone or this computer, and signs you in with a touch. First, confirm
      that it is you:
    </ProofForm>
  )
}

const MakeStep = ({
  wish,
  onClose,
  onCodes,
}: {
  wish: Wish
  onClose: () => void
  onCodes: (codes: readonly string[]) => void
}) => {
  const [name, setName] = useState('')
  const confirm = useApiMutation(null, 'confirmPasskey', {
    invalidates: FACTOR_READS,
    onSuccess: ({ data }) => {
      if (data.recoveryCodes.length > 0) onCodes(data.recoveryCodes)
      else onClose()
    },
  })
  useHold(confirm.isPending)
  const make = useMutation({
    mutationFn: () => createPasskey(wish),
    onSuccess: (passkey) => confirm.mutate({ body: { name: name.trim(), passkey } }),
  })
  const errors = confirm.error ? formErrors(confirm.error, ['name']) : { fields: {} }
  const submit = () => {
    confirm.reset()
    make.mutate()
  }
  return (
    <DialogForm
      submitLabel="Create passkey"
      onSubmit={submit}
      onCancel={onClose}
      error={make.error ? passkeyMessageOf(make.error) : errors.form}
      loading={make.isPending || confirm.isPending}
      disabled={!name.trim()}
    >
      <Text size="sm">Choose a name that you will recognize. The browser then asks for the passkey.</Text>
      <TextInput
        label="Name"
        placeholder="Blue security key"
        maxLength={60}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        error={errors.fields.name}
        data-autofocus
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the step has one field
        autoFocus
      />
    </DialogForm>
  )
}
