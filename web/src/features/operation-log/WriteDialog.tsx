import { NumberInput, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useSend } from '../../api/use-send.ts'
import { DraftDialogForm } from '../../forms/Form.tsx'
import { useDraftForm } from '../../forms/use-draft-form.ts'
import { useEngagement } from '../../shell/context/engagement.tsx'
import { useOrganization } from '../../shell/context/organization.tsx'
import { DateTimeField } from '../../ui/dates/DateField.tsx'
import { Dialog } from '../../ui/dialogs/Dialog.tsx'
import { fromLocalTime, toLocalTime } from '../../ui/values/moments.ts'
import { ownTimeZone } from '../../ui/values/time-zones.ts'
import classes from './operations.module.css'

/** Adds a log entry for traffic sent from elsewhere. */
export const WriteDialog = ({ onClose }: { onClose: () => void }) => (
  <Dialog opened onClose={onClose} title="Add an entry">
    <WriteForm onClose={onClose} />
  </Dialog>
)

const EMPTY = {
  startedAt: '',
  endedAt: '',
  address: '',
  host: '',
  port: '' as number | '',
  protocol: '',
  sourceAddress: '',
  note: '',
}

const WriteForm = ({ onClose }: { onClose: () => void }) => {
  const organization = useOrganization()
  const { engagement } = useEngagement()
  const send = useSend(organization.id, 'createOperation', [[organization.id, 'listOperations']])
  const [saved] = useState(() => ({ values: { ...EMPTY, startedAt: toLocalTime(new Date().toISOString()) } }))
  const form = useDraftForm({
    draft: `engagement/${engagement.id}/new-operation`,
    saved,
    send: (values) => send({ body: { engagementId: engagement.id, ...bodyOf(values) } }),
    onSaved: () => {
      onClose()
    },
  })
  const { startedAt, address, host } = form.values
  return (
    <DraftDialogForm
      form={form}
      submitLabel="Add entry"
      onCancel={onClose}
      disabled={fromLocalTime(startedAt) === undefined || (!address.trim() && !host.trim())}
    >
      <Text size="sm" c="dimmed">
        Rows of the log are never changed or deleted. Times are those of {ownTimeZone()}.
      </Text>
      <div className={classes.pair}>
        <DateTimeField label="From" {...form.getInputProps('startedAt')} />
        <DateTimeField label="Until" {...form.getInputProps('endedAt')} />
      </div>
      <div className={classes.pair}>
        <TextInput
          label="Address"
          placeholder="203.0.113.5"
          maxLength={64}
          spellCheck={false}
          data-autofocus
          {...form.getInputProps('address')}
        />
        <TextInput
          label="Or name"
          placeholder="shop.example.com"
          maxLength={253}
          spellCheck={false}
          {...form.getInputProps('host')}
        />
      </div>
      <div className={classes.pair}>
        <NumberInput
          label="Port"
          min={1}
          max={65_535}
          allowDecimal={false}
          hideControls
          {...form.getInputProps('port')}
        />
        <TextInput
          label="Protocol"
          placeholder="tcp"
          maxLength={16}
          spellCheck={false}
          {...form.getInputProps('protocol')}
        />
      </div>
      <TextInput
        label="Your source address"
        placeholder="198.51.100.7"
        maxLength={64}
        spellCheck={false}
        {...form.getInputProps('sourceAddress')}
      />
      <TextInput
        label="Note"
        placeholder="Checked the finding by hand from the office"
        maxLength={500}
        {...form.getInputProps('note')}
      />
    </DraftDialogForm>
  )
}

/** Omits empty fields. */
const bodyOf = ({ startedAt, endedAt, port, ...texts }: typeof EMPTY) => ({
  startedAt: fromLocalTime(startedAt) ?? '',
  ...(endedAt && { endedAt: fromLocalTime(endedAt) ?? endedAt }),
  ...(port !== '' && { port }),
  ...Object.fromEntries(
    Object.entries(texts)
      .map(([name, value]) => [name, value.trim()] as const)
      .filter(([, value]) => value !== ''),
  ),
})
