import { List, Text } from '@mantine/core'
import type { Output } from '@sortie/client/calls.ts'
import { messageOf, useApiMutation } from '../../../api/api.ts'
import { ConfirmDialog } from '../../../ui/dialogs/ConfirmDialog.tsx'
import { Dialog } from '../../../ui/dialogs/Dialog.tsx'
import { toast } from '../../../ui/toasts/toast.ts'
import { ProvedForm } from './ProvedForm.tsx'

export type Account = Output<'listAccounts'>['data'][number]

/** What an administrator was asked about an account. */
export interface AccountQuestion {
  about: 'disable' | 'enable' | 'change-address' | 'delete'
  account: Account
}

interface DialogProps {
  account: Account
  onClose: () => void
}

const LISTS = [
  [null, 'listAccounts'],
  [null, 'listInstanceOrganizations'],
  [null, 'getInstance'],
] as const

export const AccountDialogs = ({
  question,
  onClose,
}: {
  question: AccountQuestion | undefined
  onClose: () => void
}) => {
  if (!question) return null
  const props = { account: question.account, onClose }
  switch (question.about) {
    case 'disable':
      return <DisableDialog {...props} />
    case 'enable':
      return <EnableDialog {...props} />
    case 'change-address':
      return <ChangeAddressDialog {...props} />
    default:
      return <DeleteDialog {...props} />
  }
}

const DisableDialog = ({ account, onClose }: DialogProps) => {
  const disable = useApiMutation(null, 'disableAccount', {
    invalidates: LISTS,
    onSuccess: () => {
      toast(`${account.name} is disabled.`)
      onClose()
    },
  })
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      onConfirm={() => disable.mutate({ params: { userId: account.id } })}
      title={`Disable ${account.name}?`}
      confirmLabel="Disable"
      loading={disable.isPending}
      error={disable.error ? messageOf(disable.error) : undefined}
    >
      {account.name} ({account.email}) is signed out everywhere at once and can't sign in. Keys of terminals and agents
      that act within the rights of the account are refused. Memberships and keys of organizations stay, and you can
      enable the account again.
    </ConfirmDialog>
  )
}

const EnableDialog = ({ account, onClose }: DialogProps) => {
  const enable = useApiMutation(null, 'enableAccount', {
    invalidates: LISTS,
    onSuccess: () => {
      toast(`${account.name} can sign in again.`)
      onClose()
    },
  })
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      onConfirm={() => enable.mutate({ params: { userId: account.id } })}
      title={`Enable ${account.name}?`}
      confirmLabel="Enable"
      danger={false}
      loading={enable.isPending}
      error={enable.error ? messageOf(enable.error) : undefined}
    >
      {account.name} ({account.email}) can sign in again, and the keys within the rights of the account work again.
    </ConfirmDialog>
  )
}

const ChangeAddressDialog = ({ account, onClose }: DialogProps) => {
  const change = useApiMutation(null, 'changeAccountAddress', {
    invalidates: LISTS,
    onSuccess: ({ data }) => {
      toast(`${account.name} signs in as ${data.email} now. Both addresses get an email.`)
      onClose()
    },
  })
  return (
    <Dialog opened onClose={onClose} title={`Change the address of ${account.name}`}>
      <ProvedForm
        submitLabel="Change address"
        field={{ name: 'email', label: 'New address', type: 'email' }}
        error={change.error}
        loading={change.isPending}
        onSubmit={(email, proof) => change.mutate({ params: { userId: account.id }, body: { email, ...proof } })}
        onClose={onClose}
      >
        <Text size="sm">
          The address is {account.email} now. You vouch for the new one: no link confirms it, and its reader can reset
          the password.
        </Text>
        <Text size="sm">
          Every session of the account ends. Password, two-factor authentication and links to identity providers stay.
        </Text>
      </ProvedForm>
    </Dialog>
  )
}

const DeleteDialog = ({ account, onClose }: DialogProps) => {
  const remove = useApiMutation(null, 'deleteAccount', {
    invalidates: LISTS,
    onSuccess: () => {
      toast(`The account of ${account.name} is deleted.`)
      onClose()
    },
  })
  return (
    <Dialog opened onClose={onClose} title={`Delete the account of ${account.name}?`}>
      <ProvedForm
        submitLabel="Delete account"
        danger
        field={{
          name: 'email',
          label: (
            <>
              Type <b>{account.email}</b> to confirm
            </>
          ),
        }}
        expected={account.email}
        error={remove.error}
        loading={remove.isPending}
        onSubmit={(email, proof) => remove.mutate({ params: { userId: account.id }, body: { email, ...proof } })}
        onClose={onClose}
      >
        <Text size="sm">You can't undo this.</Text>
        <List size="sm">
          <List.Item>Sessions, memberships, and keys of terminals and agents end at once.</List.Item>
          <List.Item>Name, address, password and two-factor authentication are removed.</List.Item>
          <List.Item>What {account.name} wrote stays, by “Deleted account”. Audit logs keep the name.</List.Item>
          <List.Item>The address is free for a new account, and gets an email.</List.Item>
        </List>
      </ProvedForm>
    </Dialog>
  )
}
