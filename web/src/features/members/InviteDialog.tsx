import { Alert, Button, Group, Radio, Stack, Text, Textarea } from '@mantine/core'
import { useState } from 'react'
import { DraftNotice } from '../../forms/drafts/DraftNotice.tsx'
import { cancelForm } from '../../forms/Form.tsx'
import { useDraftForm } from '../../forms/use-draft-form.ts'
import { useOrganization } from '../../shell/context/organization.tsx'
import { HeldDialog, useHold } from '../../shell/proof/HeldDialog.tsx'
import { FormElement } from '../../ui/fields/FormElement.tsx'
import { FormError } from '../../ui/fields/FormError.tsx'
import { readAddresses } from './addresses.ts'
import { type InvitedRole, type Refusal, useInvite } from './use-invite.ts'

export const InviteDialog = ({ opened, onClose }: { opened: boolean; onClose: () => void }) => (
  <HeldDialog
    opened={opened}
    onClose={onClose}
    title="Invite people"
    reminder="The invitations are being sent. This takes a moment."
  >
    <InviteForm onClose={onClose} />
  </HeldDialog>
)

const EMPTY = { text: '', role: 'member' as InvitedRole }

/** One invitation per address. Addresses that fail stay in the field, with the reason. */
const InviteForm = ({ onClose }: { onClose: () => void }) => {
  const organization = useOrganization()
  const [refusals, setRefusals] = useState<readonly Refusal[]>([])
  const invite = useInvite()
  const form = useDraftForm({
    draft: `organization/${organization.id}/invitations`,
    saved: { values: EMPTY },
    send: invite.send,
    savedBy: () => ({ values: EMPTY }),
    onSaved: (refused, { role }) => {
      setRefusals(refused)
      if (refused.length === 0) onClose()
      else form.setValues({ text: refused.map(({ entry }) => entry).join('\n'), role })
    },
  })
  useHold(form.isSaving)
  const { addresses } = readAddresses(form.values.text)
  return (
    <FormElement
      formRef={form.ref}
      onSubmit={() => void form.save()}
      loading={form.isSaving}
      barred={!form.values.text.trim()}
    >
      <Stack gap="md">
        <DraftNotice form={form} />
        <Textarea
          label="Email addresses"
          description="One or many: paste a list, separated by commas, spaces or lines."
          placeholder="ada@example.com, grace@example.com"
          readOnly={form.isSaving}
          {...form.getInputProps('text')}
          autosize
          minRows={3}
          maxRows={10}
          data-autofocus
        />
        <Radio.Group label="Role" {...form.getInputProps('role')}>
          <Stack gap="xs" mt={6}>
            <Radio value="member" label="Member" description="Works on engagements. Can't change the organization." />
            <Radio
              value="admin"
              label="Admin"
              description="Can also manage the organization, its people and its API keys."
            />
          </Stack>
        </Radio.Group>
        {refusals.length > 0 && <Refusals refusals={refusals} />}
        <FormError message={undefined} />
        <Group justify="space-between" gap="xs">
          <Text size="xs" c="dimmed" aria-live="polite">
            {form.isSaving ? `Sending ${invite.sent} of ${addresses.length}` : 'The link in the mail works for 7 days.'}
          </Text>
          <Group gap="xs" ml="auto">
            <Button variant="default" onClick={() => void cancelForm(form, onClose)} disabled={form.isSaving}>
              Cancel
            </Button>
            <Button type="submit" loading={form.isSaving} aria-disabled={!form.values.text.trim() || undefined}>
              {addresses.length > 1 ? `Invite ${addresses.length} people` : 'Invite'}
            </Button>
          </Group>
        </Group>
      </Stack>
    </FormElement>
  )
}

const Refusals = ({ refusals }: { refusals: readonly Refusal[] }) => (
  <Alert color="red" variant="light" role="alert" title="Not invited">
    {refusals.map(({ entry, reason }) => (
      <Text key={entry} size="sm">
        {entry}: {reason}
      </Text>
    ))}
  </Alert>
)
