import { Group, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { query } from '../../../api/api.ts'
import { useSend } from '../../../api/use-send.ts'
import {
  languageOptions,
  REPORT_KIND_LABELS,
  type ReportKind,
  staleReportReads,
} from '../../../domain/reports/report-words.tsx'
import { DraftDialogForm } from '../../../forms/Form.tsx'
import { useDraftForm } from '../../../forms/use-draft-form.ts'
import { paths } from '../../../paths.ts'
import { useEngagement } from '../../../shell/context/engagement.tsx'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { QueryView, together } from '../../../shell/reads/QueryView.tsx'
import { Dialog } from '../../../ui/dialogs/Dialog.tsx'
import { ListSkeleton } from '../../../ui/feedback/ListSkeleton.tsx'
import { Choice } from '../../../ui/fields/Choice.tsx'
import { optionsOf } from '../../../ui/values/options-of.ts'
import { titleOf, useDefaultLanguage, useUsableTemplates } from '../report-defaults.ts'

interface NewReportDialogProps {
  /** Resolves once the dialog is removed from the address. */
  onClose: () => Promise<void>
}

/** The value of "the template for this kind". */
const AUTOMATIC = 'automatic'

/** Creates a report with the sections of a template, and opens it. */
export const NewReportDialog = ({ onClose }: NewReportDialogProps) => {
  const language = useDefaultLanguage()
  const templates = useUsableTemplates()
  return (
    <Dialog opened onClose={() => void onClose()} title="New report">
      <QueryView query={together({ language, templates })} skeleton={<ListSkeleton rows={3} />}>
        {(read) => <NewForm language={read.language} templates={read.templates.data} onClose={onClose} />}
      </QueryView>
    </Dialog>
  )
}

interface NewFormProps extends NewReportDialogProps {
  language: string
  templates: readonly { id: string; name: string; languages: readonly string[] }[]
}

const NewForm = ({ language: usual, templates, onClose }: NewFormProps) => {
  const organization = useOrganization()
  const { engagement } = useEngagement()
  const router = useRouter()
  const settings = useQuery(query(organization.id, 'getReportSettings')).data?.data
  const send = useSend(organization.id, 'createReport', staleReportReads(organization.id))
  const values: { title: string; kind: ReportKind; templateId: string; language: string } = {
    title: titleOf(engagement.name, 'final'),
    kind: 'final',
    templateId: AUTOMATIC,
    language: usual,
  }
  const form = useDraftForm({
    saved: { values },
    send: ({ title, kind, templateId, language }) =>
      send({
        body: {
          engagementId: engagement.id,
          title: title.trim(),
          kind,
          language,
          ...(templateId !== AUTOMATIC && { templateId }),
        },
      }),
    onSaved: async ({ data }) => {
      await onClose()
      await router.navigate({ href: paths.report(organization.slug, engagement.id, data.id) })
    },
  })
  const { title, kind, templateId } = form.values
  const chosen = templates.find(({ id }) => id === templateId)
  const hasDefault = settings !== undefined && settings.defaultTemplateId !== null
  return (
    <DraftDialogForm form={form} submitLabel="Create report" onCancel={() => void onClose()} disabled={!title.trim()}>
      <TextInput label="Title" maxLength={300} data-autofocus {...form.getInputProps('title')} />
      <Choice
        label="Kind"
        data={optionsOf(REPORT_KIND_LABELS)}
        value={kind}
        onChange={(next) => {
          // A title that was not edited follows the kind.
          if (title === titleOf(engagement.name, kind)) form.setFieldValue('title', titleOf(engagement.name, next))
          form.setFieldValue('kind', next)
        }}
      />
      <Group grow align="flex-start">
        <Choice
          label="Template"
          data={[
            { value: AUTOMATIC, label: hasDefault ? 'Default of the organization' : 'Built-in for this kind' },
            ...templates.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          {...form.getInputProps('templateId')}
        />
        <Choice
          label="Language"
          data={languageOptions(chosen?.languages ?? [usual])}
          {...form.getInputProps('language')}
        />
      </Group>
    </DraftDialogForm>
  )
}
