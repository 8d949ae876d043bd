import { Button, Group, Text } from '@mantine/core'
import type { Output } from '@sortie/client/calls.ts'
import { messageOf, useApiMutation } from '../../api/api.ts'
import { rows } from '../../api/rows.ts'
import { CursorList } from '../../shell/reads/CursorList.tsx'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'
import { StatusLabel, type Tone } from '../../ui/feedback/StatusLabel.tsx'
import type { Column } from '../../ui/lists/DataTable.tsx'
import { FilterTabs } from '../../ui/lists/Filters.tsx'
import { Page } from '../../ui/page/Page.tsx'
import { toast, toastError } from '../../ui/toasts/toast.ts'
import { TimeAgo } from '../../ui/values/TimeAgo.tsx'
import { mails as route } from './instance.routes.ts'

type Mail = Output<'listMails'>['data'][number]

const FILTERS = [
  { value: 'all', label: 'All' },
  { value: 'queued', label: 'Waiting' },
  { value: 'failed', label: 'Failed' },
  { value: 'sent', label: 'Sent' },
  { value: 'cancelled', label: 'Cancelled' },
] as const

const TONES: Record<Mail['status'], Tone> = { queued: 'busy', sent: 'good', failed: 'bad', cancelled: 'quiet' }
const WORDS: Record<Mail['status'], string> = {
  queued: 'Waiting',
  sent: 'Sent',
  failed: 'Failed',
  cancelled: 'Cancelled',
}

const COLUMNS: Column<Mail>[] = [
  { header: 'To', cell: (mail) => <RecipientCell mail={mail} /> },
  { header: 'State', cell: (mail) => <StateCell mail={mail} /> },
  { header: 'Attempts', kind: 'secondary', cell: ({ attempts }) => attempts },
  { header: 'Created', kind: 'secondary', cell: ({ createdAt }) => <TimeAgo iso={createdAt} /> },
  { header: 'Actions', kind: 'actions', cell: (mail) => mail.status === 'failed' && <RetryButton mail={mail} /> },
]

export const MailsPage = () => {
  const { status } = route.useSearch()
  const navigate = route.useNavigate()
  return (
    <Page title="Mail outbox" description="Emails that this installation sends. Their text is not kept.">
      <Group>
        <FilterTabs
          label="State"
          value={status ?? 'all'}
          options={FILTERS}
          onChange={(value) => void navigate({ search: value === 'all' ? {} : { status: value } })}
        />
      </Group>
      <CursorList
        label="Mails"
        {...rows(null, 'listMails', { query: { ...(status && { status }) } })}
        columns={COLUMNS}
        rowKey={({ id }) => id}
        empty={<EmptyState title="No emails match" />}
        more="Show older mails"
      />
    </Page>
  )
}

const RecipientCell = ({ mail }: { mail: Mail }) => (
  <div>
    <Text size="sm" fw={500}>
      {mail.recipient}
    </Text>
    <Text size="xs" c="dimmed">
      {mail.kind.replace(/[-_.]/g, ' ')}
      {mail.organization && `, ${mail.organization.name}`}
    </Text>
  </div>
)

const StateCell = ({ mail }: { mail: Mail }) => (
  <div>
    <StatusLabel tone={TONES[mail.status]}>{WORDS[mail.status]}</StatusLabel>
    {mail.lastError && mail.status !== 'sent' && (
      <Text size="xs" c="dimmed">
        {mail.lastError}
      </Text>
    )}
  </div>
)

const RetryButton = ({ mail }: { mail: Mail }) => {
  const retry = useApiMutation(null, 'retryMail', {
    invalidates: [[null, 'listMails']],
    onSuccess: () => toast(`Sending the email to ${mail.recipient} again.`),
    onError: (error) => toastError(messageOf(error)),
  })
  return (
    <Button
      variant="default"
      aria-label={`Try the mail to ${mail.recipient} again`}
      loading={retry.isPending}
      onClick={() => retry.mutate({ params: { mailId: mail.id } })}
    >
      Try again
    </Button>
  )
}
