import { Checkbox, List, Stack, Text } from '@mantine/core'
import type { Output } from '@sortie/client/calls.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf, query, useApiMutation } from '../../api/api.ts'
import { ConfirmDialog } from '../../ui/dialogs/ConfirmDialog.tsx'
import { toast } from '../../ui/toasts/toast.ts'

type Pending = Output<'getSafeMode'>['data']['pending']

/** Asks before anything leaves the instance again, and says what starts or is sent then. */
export const GoLiveDialog = ({ onClose }: { onClose: () => void }) => {
  const pending = useQuery(query(null, 'getSafeMode')).data?.data.pending
  const [sendWaitingMail, setSend] = useState(false)
  const end = useApiMutation(null, 'goLive', {
    invalidates: [
      [null, 'getAccount'],
      [null, 'getSafeMode'],
      [null, 'listMails'],
      [null, 'getInstance'],
    ],
    onSuccess: () => {
      toast('This instance is live.')
      onClose()
    },
  })
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      onConfirm={() => end.mutate({ body: { sendWaitingMail } })}
      title="Go live?"
      confirmLabel="Go live"
      loading={end.isPending}
      error={end.error ? messageOf(end.error) : undefined}
    >
      <Stack gap="xs">
        <Text size="sm">
          Scans, API requests and mail leave this instance again. Go live only if the instance that it was copied from
          is switched off: otherwise both scan the same systems.
        </Text>
        {pending && <Consequences pending={pending} />}
        {pending && pending.oldMails > 0 && (
          <Checkbox
            label="Also send the mail from before"
            checked={sendWaitingMail}
            onChange={(event) => setSend(event.currentTarget.checked)}
          />
        )}
      </Stack>
    </ConfirmDialog>
  )
}

const counted = (count: number, one: string, many: string): string => (count === 1 ? one : `${count} ${many}`)

const Consequences = ({ pending: { newMails, oldMails, schedules, scans } }: { pending: Pending }) => {
  const lines = [
    ...(schedules > 0
      ? [`${counted(schedules, 'One scan schedule resumes', 'scan schedules resume')}, at the next time that is due.`]
      : []),
    ...(newMails > 0 ? [`${counted(newMails, 'One mail', 'mails')} written in safe mode: sent now.`] : []),
    ...(oldMails > 0
      ? [
          `${counted(oldMails, 'One mail', 'mails')} from before: held under Instance, Mail outbox, unless you send it here.`,
        ]
      : []),
    ...(scans > 0 ? [`${counted(scans, 'One scan', 'scans')} from before that had not ended: not run.`] : []),
  ]
  if (lines.length === 0) return null
  return (
    <List size="sm">
      {lines.map((line) => (
        <List.Item key={line}>{line}</List.Item>
      ))}
    </List>
  )
}
