import { Checkbox, TagsInput, TextInput } from '@mantine/core'
import type { Output } from '@sortie/client/calls.ts'
import { FILE_NAME_TOKENS } from '@sortie/contract/reports/template-settings.ts'
import { useQuery } from '@tanstack/react-query'
import { query } from '../../api/api.ts'
import { useSend } from '../../api/use-send.ts'
import { PageForm } from '../../forms/Form.tsx'
import { useDraftForm } from '../../forms/use-draft-form.ts'
import { paths } from '../../paths.ts'
import { useOrganization } from '../../shell/context/organization.tsx'
import { SeverityLooks } from '../../shell/fields/rating/SeverityLooks.tsx'
import { QueryView } from '../../shell/reads/QueryView.tsx'
import { TextLink } from '../../shell/routing/links.tsx'
import { ListSkeleton } from '../../ui/feedback/ListSkeleton.tsx'
import { Choice } from '../../ui/fields/Choice.tsx'
import { Page, Section } from '../../ui/page/Page.tsx'
import { toast } from '../../ui/toasts/toast.ts'
import { CertificateSection } from './CertificateSection.tsx'

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
      <CertificateSection />
    </Page>
  )
}

/** The default template of a kind of report, instead of one template for all. */
const BY_KIND = 'kind'

type Texts = Record<string, string>

const savedOf = ({ severityNames, severityColors, defaultTemplateId, ...others }: Settings) => ({
  values: {
    ...others,
    defaultTemplateId: defaultTemplateId ?? BY_KIND,
    severityNames: { ...severityNames } as Texts,
    severityColors: { ...severityColors } as Texts,
  },
})

/** Without what is empty: it has the default. */
const filled = (texts: Texts): Texts =>
  Object.fromEntries(
    Object.entries(texts)
      .map(([name, text]) => [name, text.trim()] as const)
      .filter(([, text]) => text !== ''),
  )

const SettingsForm = ({ settings }: { settings: Settings }) => {
  const { id, slug } = useOrganization()
  const send = useSend(id, 'updateReportSettings', [[id, 'getReportSettings']])
  const templates = useQuery(
    query(id, 'listReportTemplates', { query: { usable: true, perPage: 100, sort: 'name', order: 'asc' } }),
  )
  const form = useDraftForm<ReturnType<typeof savedOf>['values'], Output<'updateReportSettings'>>({
    draft: `organization/${id}/report-settings`,
    saved: savedOf(settings),
    send: ({ language, defaultTemplateId, severityNames, severityColors, fileNamePattern, ...values }) =>
      send({
        body: {
          ...values,
          language: language.trim(),
          defaultTemplateId: defaultTemplateId === BY_KIND ? null : defaultTemplateId,
          severityNames: filled(severityNames),
          severityColors: filled(severityColors),
          fileNamePattern: fileNamePattern.trim(),
        },
      }),
    savedBy: ({ data }) => savedOf(data),
    onSaved: () => toast('Saved.'),
  })
  const { language, fileNamePattern, severityNames, severityColors } = form.values
  return (
    <PageForm form={form} submitLabel="Save" disabled={!form.hasChanges || !language.trim() || !fileNamePattern.trim()}>
      <Checkbox
        label="Four-eyes review"
        description="A finding or report is approved by someone who wrote none of its text. API keys can't approve."
        {...form.getInputProps('fourEyes', { type: 'checkbox' })}
      />
      <TextInput
        label="Language"
        description="For clients without their own language, such as en or de."
        maxLength={35}
        {...form.getInputProps('language')}
      />
      <Section
        title="Reports"
        description={
          <>
            Their looks are in <TextLink to={paths.reportTemplates(slug)}>Report templates</TextLink>.
          </>
        }
      >
        <Choice
          label="Default template"
          data={[
            { value: BY_KIND, label: 'The built-in one for the kind of the report' },
            ...(templates.data?.data ?? [])
              .filter(({ clientId }) => clientId === null)
              .map(({ id: value, name }) => ({ value, label: name })),
          ]}
          {...form.getInputProps('defaultTemplateId')}
        />
        <TextInput
          label="Name of files"
          description={`Replaced: ${FILE_NAME_TOKENS.map((token) => `{${token}}`).join(', ')}.`}
          maxLength={200}
          {...form.getInputProps('fileNamePattern')}
        />
        <TagsInput
          label="Words"
          description="Accepted by the spelling check: names of products, abbreviations."
          maxTags={5_000}
          clearable
          {...form.getInputProps('words')}
        />
      </Section>
      <Section title="Severities" description="Names and colours in reports. A template can replace them.">
        <SeverityLooks
          names={severityNames}
          colors={severityColors}
          onNames={(names) => form.setFieldValue('severityNames', names)}
          onColors={(colors) => form.setFieldValue('severityColors', colors)}
        />
      </Section>
    </PageForm>
  )
}
