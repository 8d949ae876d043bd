import { ActionIcon, Button, Group, Menu, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { messageOf, query, useApiMutation } from '../../../../api/api.ts'
import { useSend } from '../../../../api/use-send.ts'
import { staleFindingReads } from '../../../../domain/finding-words.tsx'
import { DraftDialogForm } from '../../../../forms/Form.tsx'
import { useDraftForm } from '../../../../forms/use-draft-form.ts'
import { paths } from '../../../../paths.ts'
import { useOrganization } from '../../../../shell/context/organization.tsx'
import { DateField } from '../../../../ui/dates/DateField.tsx'
import { ConfirmDialog } from '../../../../ui/dialogs/ConfirmDialog.tsx'
import { Dialog } from '../../../../ui/dialogs/Dialog.tsx'
import { DangerItem, DropdownMenu } from '../../../../ui/dialogs/DropdownMenu.tsx'
import { IconCheck, IconDots, IconEdit, IconPlayerPlay, IconTrash } from '../../../../ui/page-icons.tsx'
import { toastError } from '../../../../ui/toasts/toast.ts'
import { countOfItems, type Retest, staleRetestReads } from '../retest-words.tsx'
import { writesOf } from './use-outcome.ts'

type Asked = 'finish' | 'edit' | 'delete'

/** Starts, finishes and reopens a retest; changes its name and dates; deletes it. */
export const RetestActions = ({ retest }: { retest: Retest }) => {
  const organization = useOrganization()
  const router = useRouter()
  const [asked, setAsked] = useState<Asked>()
  const close = () => setAsked(undefined)
  const params = { retestId: retest.id }
  const left = retest.counts.none
  const update = useApiMutation(organization.id, 'updateRetest', {
    invalidates: [...staleRetestReads(organization.id), ...staleFindingReads(organization.id)],
    inOrder: writesOf(retest.id),
    onSuccess: close,
    onError: (error) => asked === undefined && toastError(messageOf(error)),
  })
  const remove = useApiMutation(organization.id, 'deleteRetest', {
    invalidates: [[organization.id, 'listRetests']],
    onSuccess: () => router.navigate({ href: paths.retests(organization.slug, retest.engagementId) }),
  })
  const set = (state: Retest['state'], markRest?: 'not_retested') =>
    update.mutate({ params, body: { state, ...(markRest && { markRest }) } })
  return (
    <>
      {retest.state === 'planned' && (
        <Button
          loading={update.isPending}
          leftSection={<IconPlayerPlay size={14} aria-hidden />}
          onClick={() => set('running')}
        >
          Start
        </Button>
      )}
      {retest.state === 'running' && (
        <Button
          loading={update.isPending}
          leftSection={<IconCheck size={14} aria-hidden />}
          onClick={() => (left > 0 ? setAsked('finish') : set('done'))}
        >
          Finish
        </Button>
      )}
      {retest.state === 'done' && (
        <Button variant="default" loading={update.isPending} onClick={() => set('running')}>
          Reopen
        </Button>
      )}
      <DropdownMenu
        position="bottom-end"
        target={
          <ActionIcon variant="default" size={30} aria-label="More actions">
            <IconDots size={15} aria-hidden />
          </ActionIcon>
        }
      >
        <Menu.Item leftSection={<IconEdit size={14} aria-hidden />} onClick={() => setAsked('edit')}>
          Change name and dates
        </Menu.Item>
        {retest.state === 'running' && <Menu.Item onClick={() => set('planned')}>Back to planned</Menu.Item>}
        <DangerItem leftSection={<IconTrash size={14} aria-hidden />} onClick={() => setAsked('delete')}>
          Delete
        </DangerItem>
      </DropdownMenu>
      <ConfirmDialog
        opened={asked === 'finish'}
        onClose={close}
        onConfirm={() => set('done', 'not_retested')}
        title={`Finish with ${countOfItems(left)} left?`}
        confirmLabel="Mark as not retested and finish"
        danger={false}
        loading={update.isPending}
        error={update.error ? messageOf(update.error) : undefined}
      >
        {left === 1 ? 'One item has no outcome' : `${left.toLocaleString('en')} items have no outcome`}. They are marked
        as not retested, and the status of their assets stays.
      </ConfirmDialog>
      <ConfirmDialog
        opened={asked === 'delete'}
        onClose={close}
        onConfirm={() => remove.mutate({ params })}
        title={`Delete ${retest.name}?`}
        confirmLabel="Delete"
        loading={remove.isPending}
        error={remove.error ? messageOf(remove.error) : undefined}
      >
        Deletes the retest with its outcomes and notes. Statuses that it set stay. This can't be undone.
      </ConfirmDialog>
      {asked === 'edit' && (
        <Dialog opened onClose={close} title="Change name and dates">
          <EditForm retest={retest} onDone={close} />
        </Dialog>
      )}
    </>
  )
}

const savedOf = ({ name, startsOn, endsOn, updatedAt }: Retest) => ({
  values: { name, startsOn: startsOn ?? '', endsOn: endsOn ?? '' },
  version: updatedAt,
})

const EditForm = ({ retest, onDone }: { retest: Retest; onDone: () => void }) => {
  const organization = useOrganization()
  const cache = useQueryClient()
  const params = { retestId: retest.id }
  const send = useSend(organization.id, 'updateRetest', staleRetestReads(organization.id))
  const form = useDraftForm({
    draft: `retest/${retest.id}`,
    saved: savedOf(retest),
    send: ({ name, startsOn, endsOn }, ifUpdatedAt) =>
      send({
        params,
        body: { name, startsOn: startsOn || null, endsOn: endsOn || null, ...(ifUpdatedAt && { ifUpdatedAt }) },
      }),
    reread: async () => savedOf((await cache.fetchQuery(query(organization.id, 'getRetest', { params }))).data),
    onSaved: onDone,
  })
  return (
    <DraftDialogForm
      form={form}
      labels={{ name: 'Name', startsOn: 'First day', endsOn: 'Last day' }}
      submitLabel="Save"
      onCancel={onDone}
      disabled={!form.values.name.trim()}
    >
      <TextInput label="Name" maxLength={200} data-autofocus {...form.getInputProps('name')} />
      <Group grow align="flex-start">
        <DateField label="First day" {...form.getInputProps('startsOn')} />
        <DateField label="Last day" {...form.getInputProps('endsOn')} />
      </Group>
    </DraftDialogForm>
  )
}
