import { Stack, Text, TextInput } from '@mantine/core'
import type { Output } from '@sortie/client/calls.ts'
import { useState } from 'react'
import { formErrors, useApiMutation } from '../../../api/api.ts'
import { HeldDialog, useHold } from '../../../shell/proof/HeldDialog.tsx'
import { ProofForm } from '../../../shell/proof/ProofForm.tsx'
import { DialogForm } from '../../../ui/dialogs/DialogForm.tsx'
import { QrCode } from '../../../ui/values/QrCode.tsx'
import { SecretValue } from '../../../ui/values/SecretValue.tsx'
import { FACTOR_READS } from './factor-reads.ts'
import { REMINDER, RecoveryCodes } from './RecoveryCodes.tsx'
import classes from './second-factor.module.css'

type Started = Output<'startSecondFactor'>['data']

/** Password, QR code, first code, recovery codes. The second factor is enabled only after a correct first code. */
export const EnrolDialog = ({ opened, onClose }: { opened: boolean; onClose: () => void }) => {
  const [codes, setCodes] = useState<readonly string[]>()
  const close = () => {
    setCodes(undefined)
    onClose()
  }
  return (
    <HeldDialog
      opened={opened}
      onClose={close}
      title={codes ? 'Recovery codes' : 'Set up an authenticator app'}
      size="lg"
      reminder={REMINDER}
    >
      {codes ? <RecoveryCodes codes={codes} onClose={close} /> : <Steps onClose={close} onCodes={setCodes} />}
    </HeldDialog>
  )
}

const Steps = ({ onClose, onCodes }: { onClose: () => void; onCodes: (codes: readonly string[]) => void }) => {
  const [started, setStarted] = useState<Started>()
  const start = useApiMutation(null, 'startSecondFactor', { onSuccess: ({ data }) => setStarted(data) })
  if (started) return <ConfirmStep started={started} onClose={onClose} onCodes={onCodes} />
  return (
    <ProofForm
      label="Continue"
      error={start.error}
      loading={start.isPending}
      onSubmit={(body) => start.mutate({ body })}
      onClose={onClose}
    >
      First, confirm that it is you:
    </ProofForm>
  )
}

const ConfirmStep = ({
  started,
  onClose,
  onCodes,
}: {
  started: Started
  onClose: () => void
  onCodes: (codes: readonly string[]) => void
}) => {
  const [code, setCode] = useState('')
  const confirm = useApiMutation(null, 'confirmSecondFactor', {
    invalidates: FACTOR_READS,
    onSuccess: ({ data }) => onCodes(data.recoveryCodes),
  })
  useHold(confirm.isPending)
  const errors = confirm.error ? formErrors(confirm.error, ['code']) : { fields: {} }
  return (
    <DialogForm
      submitLabel="Switch on"
      onSubmit={() => confirm.mutate({ body: { code: code.trim() } })}
      onCancel={onClose}
      error={errors.form}
      loading={confirm.isPending}
      disabled={code.trim().length < 6}
    >
      <div className={classes.enrol}>
        <QrCode text={started.uri} label="QR code for the authenticator app" />
        <Stack gap="sm">
          <Text size="sm">Scan the QR code with the authenticator app, or enter this secret:</Text>
          <SecretValue value={started.secret} label="Secret" />
          <TextInput
            label="Code from the app"
            inputMode="numeric"
            autoComplete="one-time-code"
            value={code}
            onChange={(event) => setCode(event.currentTarget.value)}
            error={errors.fields.code}
            data-autofocus
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- the step has one field
            autoFocus
          />
        </Stack>
      </div>
    </DialogForm>
  )
}
