import { Alert, Button, Group, Radio, Stack, Text, Textarea } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { call, messageOf } from '../../api.ts'
import { useOrganization } from '../../shell/organization.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { toast } from '../../ui/toast.ts'
import { parseAddresses } from './addresses.ts'

export const InviteDialog = ({ opened, onClose }: { opened: boolean; onClose: () => void }) => (
  <Dialog opened={opened} onClose={onClose} title="Invite people">
    <InviteForm onClose={onClose} />
  </Dialog>
)

interface Refusal {
  email: string
  reason: string
}

/** Each address is its own invitation: those that are refused stay in the field, with the reason. */
const InviteForm = ({ onClose }: { onClose: () => void }) => {
  const organization = useOrganization()
  const cache = useQueryClient()
  const [text, setText] = useState('')
  const [role, setRole] = useState<'admin' | 'member'>('member')
  const [refusals, setRefusals] = useState<Refusal[]>([])
  const addresses = parseAddresses(text)
  const invite = useMutation({
    mutationFn: async () => {
      const refused: Refusal[] = []
      for (const email of addresses) {
        try {
          await call(organization.id, 'inviteMember', { body: { email, role } }, { retries: 0 })
        } catch (error) {
          refused.push({ email, reason: messageOf(error) })
        }
      }
      return refused
    },
    onSuccess: async (refused) => {
      await cache.invalidateQueries({ queryKey: [organization.id, 'listInvitations'] })
      const sent = addresses.length - refused.length
      if (sent > 0) toast(sent === 1 ? 'The invitation is on its way.' : `${sent} invitations are on their way.`)
      if (refused.length === 0) return onClose()
      setRefusals(refused)
      setText(refused.map(({ email }) => email).join('\n'))
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    invite.mutate()
  }
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <Textarea
          label="Email addresses"
          description="One or many: paste a list, parted by commas, spaces or lines."
          placeholder="ada@example.com, grace@example.com"
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          autosize
          minRows={3}
          maxRows={10}
          data-autofocus
        />
        <Radio.Group label="Role" value={role} onChange={(value) => setRole(value)}>
          <Stack gap="xs" mt={6}>
            <Radio value="member" label="Member" description="Works on engagements; changes nothing about the organization." />
            <Radio value="admin" label="Admin" description="Also changes the organization, its people and its API keys." />
          </Stack>
        </Radio.Group>
        {refusals.length > 0 && (
          <Alert color="red" variant="light" role="alert" title="Not invited">
            {refusals.map(({ email, reason }) => (
              <Text key={email} size="sm">
                {email}: {reason}
              </Text>
            ))}
          </Alert>
        )}
        <Group justify="space-between" gap="xs">
          <Text size="xs" c="dimmed">
            The link in the mail works for 7 days.
          </Text>
          <Group gap="xs" ml="auto">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={invite.isPending} disabled={addresses.length === 0}>
              {addresses.length > 1 ? `Invite ${addresses.length} people` : 'Invite'}
            </Button>
          </Group>
        </Group>
      </Stack>
    </form>
  )
}
