import { Alert, Button, Group, Radio, Stack, Text, Textarea } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { HeldDialog, useHold } from '../../shell/HeldDialog.tsx'
import { readAddresses } from './addresses.ts'
import { type InvitedRole, type Refusal, useInvite } from './use-invite.ts'

/** What was typed is kept here while the dialog is closed: only Cancel and sending take it away. */
export const InviteDialog = ({ opened, onClose }: { opened: boolean; onClose: () => void }) => {
  const [draft, setDraft] = useState<Draft>(EMPTY)
  return (
    <HeldDialog opened={opened} onClose={onClose} title="Invite people" reminder="The invitations are being sent. This takes a moment.">
      <InviteForm draft={draft} onChange={setDraft} onClose={onClose} />
    </HeldDialog>
  )
}

interface Draft {
  text: string
  role: InvitedRole
  refusals: readonly Refusal[]
}

const EMPTY: Draft = { text: '', role: 'member', refusals: [] }

/** Each address is its own invitation: what was not sent stays in the field, with the reason. */
const InviteForm = ({ draft, onChange, onClose }: { draft: Draft; onChange: (draft: Draft) => void; onClose: () => void }) => {
  const { text, role, refusals } = draft
  const { addresses } = readAddresses(text)
  const invite = useInvite((refused) => {
    onChange(refused.length === 0 ? EMPTY : { text: refused.map(({ entry }) => entry).join('\n'), role, refusals: refused })
    if (refused.length === 0) onClose()
  })
  useHold(invite.isPending)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (text.trim()) invite.mutate({ text, role })
  }
  const cancel = () => {
    onChange(EMPTY)
    onClose()
  }
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <Textarea
          label="Email addresses"
          description="One or many: paste a list, separated by commas, spaces or lines."
          placeholder="ada@example.com, grace@example.com"
          value={text}
          readOnly={invite.isPending}
          onChange={(event) => onChange({ ...draft, text: event.currentTarget.value })}
          autosize
          minRows={3}
          maxRows={10}
          data-autofocus
        />
        <Radio.Group label="Role" value={role} onChange={(value) => onChange({ ...draft, role: value })}>
          <Stack gap="xs" mt={6}>
            <Radio value="member" label="Member" description="Works on engagements; changes nothing about the organization." />
            <Radio value="admin" label="Admin" description="Also changes the organization, its people and its API keys." />
          </Stack>
        </Radio.Group>
        {refusals.length > 0 && (
          <Alert color="red" variant="light" role="alert" title="Not invited">
            {refusals.map(({ entry, reason }) => (
              <Text key={entry} size="sm">
                {entry}: {reason}
              </Text>
            ))}
          </Alert>
        )}
        <Group justify="space-between" gap="xs">
          <Text size="xs" c="dimmed" aria-live="polite">
            {invite.isPending ? `Sending ${invite.sent} of ${addresses.length}` : 'The link in the mail works for 7 days.'}
          </Text>
          <Group gap="xs" ml="auto">
            <Button variant="default" onClick={cancel} disabled={invite.isPending}>
              Cancel
            </Button>
            <Button type="submit" loading={invite.isPending} disabled={!text.trim()}>
              {addresses.length > 1 ? `Invite ${addresses.length} people` : 'Invite'}
            </Button>
          </Group>
        </Group>
      </Stack>
    </form>
  )
}
