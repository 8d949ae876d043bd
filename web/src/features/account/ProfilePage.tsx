import { TextInput } from '@mantine/core'
import { useSend } from '../../api/use-send.ts'
import { PageForm } from '../../forms/Form.tsx'
import { useDraftForm } from '../../forms/use-draft-form.ts'
import { useAccount } from '../../shell/context/session.tsx'
import { toast } from '../../ui/feedback/toast.ts'
import { Page } from '../../ui/page/Page.tsx'
import { LinkedIdentity } from './LinkedIdentity.tsx'

export const ProfilePage = () => {
  const account = useAccount()
  const send = useSend(null, 'updateAccount', [[null, 'getAccount']])
  const form = useDraftForm({
    draft: 'profile',
    saved: { values: { name: account.name } },
    send: ({ name }) => send({ body: { name } }),
    onSaved: () => toast('Saved.'),
  })
  return (
    <Page title="Profile" layout="form" description="How others see you, in every organization that you belong to.">
      <PageForm form={form} submitLabel="Save" disabled={!form.values.name.trim() || !form.hasChanges}>
        <TextInput label="Name" autoComplete="name" maxLength={200} {...form.getInputProps('name')} />
        <TextInput
          label="Email"
          description="You sign in with it. It cannot be changed."
          value={account.email}
          readOnly
        />
      </PageForm>
      <LinkedIdentity />
    </Page>
  )
}
