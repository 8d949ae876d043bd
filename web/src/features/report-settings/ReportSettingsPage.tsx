import { Checkbox, TextInput } from '@mantine/core'
import type { Output } from '@sortie/client/calls.ts'
import { useQuery } from '@tanstack/react-query'
import { query } from '../../api/api.ts'
import { useSend } from '../../api/use-send.ts'
import { PageForm } from '../../forms/Form.tsx'
import { useDraftForm } from '../../forms/use-draft-form.ts'
import { useOrganization } from '../../shell/context/organization.tsx'
import { QueryView } from '../../shell/reads/QueryView.tsx'
import { ListSkeleton } from '../../ui/feedback/ListSkeleton.tsx'
import { Page } from '../../ui/page/Page.tsx'
import { toast } from '../../ui/toasts/toast.ts'

type Settings = Output<'getReportSettings'>['data']

/** Rules of the organization for its findings and reports. */
export const ReportSettingsPage = () => {
  const { id } = useOrganization()
  const read = useQuery(query(id, 'getReportSettings'))
  return (
    <Page
      title="Findings and reports"
      layout="form"
      description="Rules for every finding and report of the organization."
    >
      <QueryView query={read} skeleton={<ListSkeleton rows={3} />}>
        {({ data }) => <SettingsForm settings={data} />}
      </QueryView>
    </Page>
  )
}

const SettingsForm = ({ settings }: { settings: Settings }) => {
  const { id } = useOrganization()
  const send = useSend(id, 'updateReportSettings', [[id, 'getReportSettings']])
  const form = useDraftForm<Settings, Output<'updateReportSettings'>>({
    draft: `organization/${id}/report-settings`,
    saved: { values: settings },
    send: ({ language, ...values }) => send({ body: { ...values, language: language.trim() } }),
    savedBy: ({ data }) => ({ values: data }),
    onSaved: () => toast('Saved.'),
  })
  return (
    <PageForm form={form} submitLabel="Save" disabled={!form.hasChanges || !form.values.language.trim()}>
      <Checkbox
        label="Four-eyes review"
        description="A finding is approved by someone who wrote none of its text. API keys can't approve."
        {...form.getInputProps('fourEyes', { type: 'checkbox' })}
      />
      <TextInput
        label="Language"
        description="For clients without their own language, such as en or de."
        maxLength={35}
        {...form.getInputProps('language')}
      />
    </PageForm>
  )
}
