import { List, Stack, Text } from '@mantine/core'
import type { Output } from '@sortie/client/calls.ts'
import { messageOf, useApiMutation } from '../../api/api.ts'
import { useAccount } from '../../shell/context/session.tsx'
import { ConfirmDialog } from '../../ui/dialogs/ConfirmDialog.tsx'
import { toast } from '../../ui/toasts/toast.ts'

type Account = Output<'listAccounts'>['data'][number]

/** Confirms before granting or revoking instance administration. Revoking one's own requires typing. */
export const InstanceAdminDialog = ({ account, onClose }: { account: Account | undefined; onClose: () => void }) =>
  account ? <Question key={account.id} account={account} onClose={onClose} /> : null

const Question = ({ account, onClose }: { account: Account; onClose: () => void }) => {
  const isSelf = useAccount().id === account.id
  const wanted = !account.isInstanceAdmin
  const change = useApiMutation(null, 'setInstanceAdmin', {
    invalidates: [
      [null, 'listAccounts'],
      [null, 'getAccount'],
    ],
    onSuccess: () => {
      toast(`${account.name} is ${wanted ? 'an instance administrator now' : 'no longer an instance administrator'}.`)
      onClose()
    },
  })
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      onConfirm={() => change.mutate({ params: { userId: account.id }, body: { isInstanceAdmin: wanted } })}
      title={titleOf(account.name, wanted, isSelf)}
      confirmLabel={wanted ? 'Make administrator' : 'Remove as administrator'}
      danger={!wanted}
      {...(isSelf && { typeToConfirm: account.email })}
      loading={change.isPending}
      error={change.error ? messageOf(change.error) : undefined}
    >
      {wanted ? <Powers account={account} /> : <Loss account={account} isSelf={isSelf} />}
    </ConfirmDialog>
  )
}

const titleOf = (name: string, wanted: boolean, isSelf: boolean): string => {
  if (wanted) return `Make ${name} an instance administrator?`
  return isSelf ? 'Stop being an instance administrator?' : `Remove ${name} as an instance administrator?`
}

const Powers = ({ account }: { account: Account }) => (
  <Stack gap="xs">
    <Text size="sm">
      {account.name} ({account.email}) will be able to:
    </Text>
    <List size="sm">
      <List.Item>see every organization and account of this installation, with names and addresses</List.Item>
      <List.Item>create organizations and choose their owners</List.Item>
      <List.Item>link organizations to paying customers, and confirm their repositories</List.Item>
      <List.Item>read the mail outbox and the job queues</List.Item>
      <List.Item>make other accounts instance administrators, and remove any of them, including you</List.Item>
    </List>
    <Text size="sm">Only members can see what is inside an organization.</Text>
  </Stack>
)

const Loss = ({ account, isSelf }: { account: Account; isSelf: boolean }) =>
  isSelf ? (
    <Text size="sm">
      You lose access to these pages immediately. You can't undo this yourself: another instance administrator has to
      make you one again.
    </Text>
  ) : (
    <Text size="sm">
      {account.name} ({account.email}) loses access to these pages immediately. The account and its memberships stay.
    </Text>
  )
