import { Stack, Switch } from '@mantine/core'
import { messageOf, patchCached, useApiMutation } from '../../api/api.ts'
import { type Account, useAccount } from '../../shell/context/session.tsx'
import { Page } from '../../ui/page/Page.tsx'
import { toastError } from '../../ui/toasts/toast.ts'

const CHOICES: { name: keyof Account['notifications']; label: string; description: string }[] = [
  {
    name: 'membership',
    label: 'Your membership',
    description: 'Your role in an organization changed, or your membership ended.',
  },
  {
    name: 'mentions',
    label: 'Mentions',
    description: 'Someone mentioned you in a comment, or commented on what is yours.',
  },
  {
    name: 'assignments',
    label: 'Assignments',
    description: 'Someone assigned a task, result or finding to you, or reopened it.',
  },
  { name: 'apiKeys', label: 'API keys', description: 'Where you are owner or admin: a key was created or deleted.' },
  {
    name: 'invitations',
    label: 'Invitations',
    description: 'Where you are owner or admin: someone accepted an invitation.',
  },
]

export const NotificationsPage = () => {
  const account = useAccount()
  const save = useApiMutation(null, 'updateAccount', {
    invalidates: [[null, 'getAccount']],
    optimistic: (cache, { body }) =>
      patchCached(cache, null, 'getAccount', (output) => ({
        data: { ...output.data, notifications: { ...output.data.notifications, ...body?.notifications } },
      })),
    onError: (error) => toastError(messageOf(error)),
  })
  return (
    <Page
      title="Notifications"
      layout="form"
      description="Choose which emails you get. Emails about the security of your account (password, two-factor authentication, a new device, ownership) are always sent."
    >
      <Stack gap="lg">
        {CHOICES.map(({ name, label, description }) => (
          <Switch
            key={name}
            label={label}
            description={description}
            checked={account.notifications[name]}
            onChange={(event) => save.mutate({ body: { notifications: { [name]: event.currentTarget.checked } } })}
          />
        ))}
      </Stack>
    </Page>
  )
}
