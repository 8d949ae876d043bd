import { Badge, Button, Group, Text } from '@mantine/core'
import type { Output } from '@sortie/client/calls.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { messageOf, patchCached, query, useApiMutation } from '../../api/api.ts'
import { paths } from '../../paths.ts'
import { signOut } from '../../shell/context/session.tsx'
import { QueryView } from '../../shell/reads/QueryView.tsx'
import { ListSkeleton } from '../../ui/feedback/ListSkeleton.tsx'
import { type Column, DataTable } from '../../ui/lists/DataTable.tsx'
import { Page } from '../../ui/page/Page.tsx'
import { toast, toastError } from '../../ui/toasts/toast.ts'
import { TimeAgo } from '../../ui/values/TimeAgo.tsx'

type Session = Output<'listSessions'>['data'][number]

export const SessionsPage = () => {
  const list = useQuery(query(null, 'listSessions'))
  const endOthers = useApiMutation(null, 'endOtherSessions', {
    invalidates: [[null, 'listSessions']],
    onSuccess: ({ data }) =>
      toast(data.endedSessions === 1 ? '1 session ended.' : `${data.endedSessions} sessions ended.`),
    onError: (error) => toastError(messageOf(error)),
  })
  const columns: Column<Session>[] = [
    { header: 'Device', cell: (session) => <DeviceCell session={session} /> },
    { header: 'Address', kind: 'secondary', cell: ({ address }) => address },
    { header: 'Last use', kind: 'secondary', cell: ({ lastSeenAt }) => <TimeAgo iso={lastSeenAt} /> },
    { header: 'Signed in', kind: 'secondary', cell: ({ createdAt }) => <TimeAgo iso={createdAt} /> },
    { header: 'Actions', kind: 'actions', cell: (session) => <EndButton session={session} /> },
  ]
  return (
    <Page
      title="Sessions"
      description="Where you are signed in. End sessions that you do not recognize, then change your password."
      actions={
        (list.data?.data.length ?? 0) > 1 && (
          <Button variant="default" loading={endOthers.isPending} onClick={() => endOthers.mutate({})}>
            End all others
          </Button>
        )
      }
    >
      <QueryView query={list} skeleton={<ListSkeleton rows={3} />}>
        {({ data }) => <DataTable label="Sessions" columns={columns} rows={data} rowKey={({ id }) => id} />}
      </QueryView>
    </Page>
  )
}

const DeviceCell = ({ session }: { session: Session }) => (
  <div>
    <Group gap={6}>
      <Text size="sm" fw={500}>
        {session.device}
      </Text>
      {session.current && (
        <Badge size="xs" variant="light">
          this one
        </Badge>
      )}
    </Group>
  </div>
)

const EndButton = ({ session }: { session: Session }) => {
  const cache = useQueryClient()
  const end = useApiMutation(null, 'endSession', {
    invalidates: [[null, 'listSessions']],
    optimistic: (queries, { params }) =>
      patchCached(queries, null, 'listSessions', (output) => ({
        data: output.data.filter(({ id }) => id !== params.sessionId),
      })),
    onError: (error) => toastError(messageOf(error)),
  })
  if (session.current) {
    return (
      <Button
        variant="default"
        onClick={() => {
          signOut(cache, paths.signIn()).catch((error: unknown) => toastError(messageOf(error)))
        }}
      >
        Sign out
      </Button>
    )
  }
  return (
    <Button
      variant="default"
      aria-label={`End the session on ${session.device}`}
      onClick={() => end.mutate({ params: { sessionId: session.id } })}
    >
      End
    </Button>
  )
}
