import { List, Text } from '@mantine/core'
import type { Output } from '@sortie/client/calls.ts'
import { useApiMutation } from '../../../api/api.ts'
import { Dialog } from '../../../ui/dialogs/Dialog.tsx'
import { toast } from '../../../ui/toasts/toast.ts'
import { ProvedForm } from './ProvedForm.tsx'

export type Organization = Output<'listInstanceOrganizations'>['data'][number]

/** What an administrator was asked about an organization. */
export interface OrganizationQuestion {
  about: 'transfer' | 'remove'
  organization: Organization
}

interface DialogProps {
  organization: Organization
  onClose: () => void
}

const LISTS = [
  [null, 'listInstanceOrganizations'],
  [null, 'listOwnOrganizations'],
  [null, 'listAccounts'],
  [null, 'getInstance'],
] as const

export const OrganizationDialogs = ({
  question,
  onClose,
}: {
  question: OrganizationQuestion | undefined
  onClose: () => void
}) => {
  if (!question) return null
  const props = { organization: question.organization, onClose }
  return question.about === 'transfer' ? <TransferDialog {...props} /> : <RemoveDialog {...props} />
}

const TransferDialog = ({ organization, onClose }: DialogProps) => {
  const { id, name, owner } = organization
  const transfer = useApiMutation(null, 'transferOrganization', {
    invalidates: LISTS,
    onSuccess: ({ data }) => {
      toast(`${data.owner.name} owns ${name} now.`)
      onClose()
    },
  })
  return (
    <Dialog opened onClose={onClose} title={`Transfer the ownership of ${name}`}>
      <ProvedForm
        submitLabel="Transfer ownership"
        danger
        field={{
          name: 'email',
          label: 'Address of the new owner',
          description: 'Of a member of the organization.',
          type: 'email',
        }}
        error={transfer.error}
        loading={transfer.isPending}
        onSubmit={(email, proof) => transfer.mutate({ params: { organizationId: id }, body: { email, ...proof } })}
        onClose={onClose}
      >
        <Text size="sm">
          {owner
            ? `${owner.name} (${owner.email}) owns it now, and becomes an admin. Both get an email.`
            : 'The new owner gets an email.'}
        </Text>
      </ProvedForm>
    </Dialog>
  )
}

const RemoveDialog = ({ organization, onClose }: DialogProps) => {
  const { id, name, slug, memberCount } = organization
  const remove = useApiMutation(null, 'removeOrganization', {
    invalidates: LISTS,
    onSuccess: () => {
      toast(`${name} is being removed.`)
      onClose()
    },
  })
  return (
    <Dialog opened onClose={onClose} title={`Remove ${name}?`}>
      <ProvedForm
        submitLabel="Remove organization"
        danger
        field={{
          name: 'slug',
          label: (
            <>
              Type <b>{slug}</b> to confirm
            </>
          ),
        }}
        expected={slug}
        error={remove.error}
        loading={remove.isPending}
        onSubmit={(typed, proof) => remove.mutate({ params: { organizationId: id }, body: { slug: typed, ...proof } })}
        onClose={onClose}
      >
        <Text size="sm">You can't undo this: only a backup has it then.</Text>
        <List size="sm">
          <List.Item>
            {memberCount === 1 ? 'Its member loses' : `All ${memberCount} members lose`} access at once, and so do its
            API keys. The accounts stay.
          </List.Item>
          <List.Item>Engagements, findings, reports, files and its audit log are deleted in the background.</List.Item>
          <List.Item>The audit log of the instance records how many rows and files were deleted.</List.Item>
        </List>
      </ProvedForm>
    </Dialog>
  )
}
