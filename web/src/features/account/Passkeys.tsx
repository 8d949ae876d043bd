import { Button, Group, TextInput } from '@mantine/core'
import type { Output } from '@sortie/client/calls.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formErrors, query, useCommand } from '../../api.ts'
import { ProofForm } from '../../shell/ProofForm.tsx'
import { QueryFailed } from '../../shell/pages.tsx'
import { useAccount } from '../../shell/session.tsx'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { DialogForm } from '../../ui/DialogForm.tsx'
import { ListSkeleton } from '../../ui/ListSkeleton.tsx'
import { TimeAgo } from '../../ui/TimeAgo.tsx'
import { toast } from '../../ui/toast.ts'
import { FACTOR_READS } from './factor-reads.ts'

type Passkey = Output<'listPasskeys'>['data'][number]

/** The passkeys of the account, each with what can be done to it. */
export const Passkeys = () => {
  const list = useQuery(query(null, 'listPasskeys'))
  const [renaming, setRenaming] = useState<Passkey>()
  const [removing, setRemoving] = useState<Passkey>()
  const columns: Column<Passkey>[] = [
    { header: 'Name', cell: ({ name }) => name },
    { header: 'Last use', cell: ({ lastUsedAt }) => <TimeAgo iso={lastUsedAt} never="not yet" /> },
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
  if (list.isPending) return <ListSkeleton rows={1} />
  if (list.isError) return <QueryFailed error={list.error} onRetry={() => void list.refetch()} />
  return (
    <>
      {list.data.data.length > 0 && <DataTable label="Passkeys" columns={columns} rows={list.data.data} rowKey={({ id }) => id} />}
      <Dialog opened={renaming !== undefined} onClose={() => setRenaming(undefined)} title="Rename the passkey" size="sm">
        {renaming && <RenameForm passkey={renaming} onClose={() => setRenaming(undefined)} />}
      </Dialog>
      <Dialog opened={removing !== undefined} onClose={() => setRemoving(undefined)} title={`Remove ${removing?.name ?? 'the passkey'}?`}>
        {removing && <RemoveForm passkey={removing} onClose={() => setRemoving(undefined)} />}
      </Dialog>
    </>
  )
}

const RenameForm = ({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) => {
  const [name, setName] = useState(passkey.name)
  const rename = useCommand(null, 'renamePasskey', { invalidates: [[null, 'listPasskeys']], onSuccess: onClose })
  const errors = rename.error ? formErrors(rename.error, ['name']) : { fields: {} }
  return (
    <DialogForm
      submitLabel="Rename"
      onSubmit={() => rename.mutate({ params: { passkeyId: passkey.id }, body: { name: name.trim() } })}
      onCancel={onClose}
      error={errors.form}
      loading={rename.isPending}
      disabled={!name.trim()}
    >
      <TextInput label="Name" maxLength={60} value={name} onChange={(event) => setName(event.currentTarget.value)} error={errors.fields.name} data-autofocus />
    </DialogForm>
  )
}

const RemoveForm = ({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) => {
  const { secondFactor } = useAccount()
  const remove = useCommand(null, 'removePasskey', {
    invalidates: FACTOR_READS,
    onSuccess: () => {
      toast(`The passkey ${passkey.name} was removed.`)
      onClose()
    },
  })
  const isLast = secondFactor.passkeys === 1 && !secondFactor.appEnabledAt
  const demandedBy = secondFactor.requiredBy.map(({ name }) => name).join(', ')
  return (
    <ProofForm
      label="Remove"
      danger
      error={remove.error}
      loading={remove.isPending}
      onSubmit={(body) => remove.mutate({ params: { passkeyId: passkey.id }, body })}
      onClose={onClose}
    >
      It signs nobody in any more.
      {isLast && ' It is the only second factor: from then on the password alone opens this account, and the recovery codes go too.'}
      {isLast && demandedBy && ` You lose access to ${demandedBy} until you set one up again.`}
    </ProofForm>
  )
}
