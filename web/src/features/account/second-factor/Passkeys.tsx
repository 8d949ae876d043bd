import { Button, Group, TextInput } from '@mantine/core'
import type { Output } from '@sortie/client/calls.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { query, useApiMutation } from '../../../api/api.ts'
import { useSend } from '../../../api/use-send.ts'
import { DraftDialogForm } from '../../../forms/Form.tsx'
import { useDraftForm } from '../../../forms/use-draft-form.ts'
import { useAccount } from '../../../shell/context/session.tsx'
import { ProofForm } from '../../../shell/proof/ProofForm.tsx'
import { QueryView } from '../../../shell/reads/QueryView.tsx'
import { Dialog } from '../../../ui/dialogs/Dialog.tsx'
import { ListSkeleton } from '../../../ui/feedback/ListSkeleton.tsx'
import { type Column, DataTable } from '../../../ui/lists/DataTable.tsx'
import { TimeAgo } from '../../../ui/values/TimeAgo.tsx'
import { FACTOR_READS } from './factor-reads.ts'

type Passkey = Output<'listPasskeys'>['data'][number]

/** Lists the account's passkeys with their actions. */
export const Passkeys = () => {
  const list = useQuery(query(null, 'listPasskeys'))
  const [renaming, setRenaming] = useState<Passkey>()
  const [removing, setRemoving] = useState<Passkey>()
  const columns: Column<Passkey>[] = [
    { header: 'Name', cell: ({ name }) => name },
    { header: 'Last use', kind: 'secondary', cell: ({ lastUsedAt }) => <TimeAgo iso={lastUsedAt} never="not yet" /> },
    { header: 'Added', kind: 'secondary', cell: ({ createdAt }) => <TimeAgo iso={createdAt} /> },
    {
      header: 'Actions',
      kind: 'actions',
      cell: (passkey) => (
        <Group gap={6} wrap="nowrap" justify="flex-end">
          <Button variant="default" aria-label={`Rename ${passkey.name}`} onClick={() => setRenaming(passkey)}>
            Rename
          </Button>
          <Button variant="default" aria-label={`Remove ${passkey.name}`} onClick={() => setRemoving(passkey)}>
            Remove
          </Button>
        </Group>
      ),
    },
  ]
  return (
    <>
      <QueryView query={list} skeleton={<ListSkeleton rows={1} />}>
        {({ data }) =>
          data.length > 0 && <DataTable label="Passkeys" columns={columns} rows={data} rowKey={({ id }) => id} />
        }
      </QueryView>
      <Dialog
        opened={renaming !== undefined}
        onClose={() => setRenaming(undefined)}
        title="Rename the passkey"
        size="sm"
      >
        {renaming && <RenameForm passkey={renaming} onClose={() => setRenaming(undefined)} />}
      </Dialog>
      <Dialog
        opened={removing !== undefined}
        onClose={() => setRemoving(undefined)}
        title={`Remove ${removing?.name ?? 'the passkey'}?`}
      >
        {removing && <RemoveForm passkey={removing} onClose={() => setRemoving(undefined)} />}
      </Dialog>
    </>
  )
}

const RenameForm = ({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) => {
  const send = useSend(null, 'renamePasskey', [[null, 'listPasskeys']])
  const form = useDraftForm({
    draft: `passkey/${passkey.id}`,
    saved: { values: { name: passkey.name } },
    send: ({ name }) => send({ params: { passkeyId: passkey.id }, body: { name: name.trim() } }),
    onSaved: onClose,
  })
  return (
    <DraftDialogForm form={form} submitLabel="Rename" onCancel={onClose} disabled={!form.values.name.trim()}>
      <TextInput label="Name" maxLength={60} {...form.getInputProps('name')} data-autofocus />
    </DraftDialogForm>
  )
}

const RemoveForm = ({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) => {
  const { secondFactor } = useAccount()
  const remove = useApiMutation(null, 'removePasskey', {
    invalidates: FACTOR_READS,
    onSuccess: () => {
      onClose()
    },
  })
  const isLast = secondFactor.passkeys === 1 && !secondFactor.appEnabledAt
  const requiredBy = secondFactor.requiredBy.map(({ name }) => name).join(', ')
  return (
    <ProofForm
      label="Remove"
      danger
      error={remove.error}
      loading={remove.isPending}
      onSubmit={(body) => remove.mutate({ params: { passkeyId: passkey.id }, body })}
      onClose={onClose}
    >
      It can no longer be used to sign in.
      {isLast &&
        ' It is your last second factor: after that only the password protects this account, and the recovery codes are deleted.'}
      {isLast && requiredBy && ` You lose access to ${requiredBy} until you set it up again.`}
    </ProofForm>
  )
}
