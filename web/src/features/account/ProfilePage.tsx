import { TextInput } from '@mantine/core'
import { useSend } from '../../api/use-send.ts'
import { PageForm } from '../../forms/Form.tsx'
import { useDraftForm } from '../../forms/use-draft-form.ts'
import { useAccount } from '../../shell/context/session.tsx'
import { Choice } from '../../ui/fields/Choice.tsx'
import { Page } from '../../ui/page/Page.tsx'
import { toast } from '../../ui/toasts/toast.ts'
import { LinkedIdentity } from './LinkedIdentity.tsx'

const DATE_OPTIONS = [
  { value: 'day_month_year', label: '3 Feb 2031' },
  { value: 'month_day_year', label: 'Feb 3, 2031' },
  { value: 'dotted', label: '03.02.2031' },
  { value: 'iso', label: '2031-02-03' },
]

const TIME_OPTIONS = [
  { value: '24h', label: '14:05' },
  { value: '12h', label: '2:05 PM' },
]

export const ProfilePage = () => {
  const account = useAccount()
  const send = useSend(null, 'updateAccount', [[null, 'getAccount']])
  const form = useDraftForm({
    draft: 'profile',
    saved: { values: { name: account.name, dateFormat: account.dateFormat, timeFormat: account.timeFormat } },
    send: (values) => send({ body: values }),
    onSaved: () => toast('Saved.'),
  })
  return (
    <Page
      title="Profile"
      layout="form"
      description="Your name, which others see in every organization that you belong to, and how dates and times are shown to you."
    >
      <PageForm form={form} submitLabel="Save" disabled={!form.values.name.trim() || !form.hasChanges}>
        <TextInput label="Name" autoComplete="name" maxLength={200} {...form.getInputProps('name')} />
        <TextInput
          label="Email"
          description="You sign in with it. It cannot be changed."
          value={account.email}
          readOnly
        />
        <Choice label="Dates" data={DATE_OPTIONS} {...form.getInputProps('dateFormat')} />
        <Choice label="Times" data={TIME_OPTIONS} {...form.getInputProps('timeFormat')} />
      </PageForm>
      <LinkedIdentity />
    </Page>
  )
}
