import { Checkbox, Radio, Stack, Textarea, TextInput } from '@mantine/core'
import { FILE_NAME_TOKENS } from '@sortie/contract/reports/template-settings.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { query } from '../../../../api/api.ts'
import { useSend } from '../../../../api/use-send.ts'
import { PageForm } from '../../../../forms/Form.tsx'
import { useDraftForm } from '../../../../forms/use-draft-form.ts'
import { useOrganization } from '../../../../shell/context/organization.tsx'
import { SeverityLooks } from '../../../../shell/fields/rating/SeverityLooks.tsx'
import { Choice } from '../../../../ui/fields/Choice.tsx'
import { ColorField } from '../../../../ui/fields/color/ColorField.tsx'
import { toast } from '../../../../ui/toasts/toast.ts'
import { optionsOf } from '../../../../ui/values/options-of.ts'
import classes from '../../report-templates.module.css'
import { staleTemplateReads, type Template } from '../../template-words.tsx'
import { FindingParts } from './FindingParts.tsx'
import { LabelLines } from './LabelLines.tsx'
import { CLASSIFICATION_LABELS, DEFAULT, FONTS, PAPER_LABELS, savedOf, settingsOf } from './template-form.ts'

const LABELS = {
  name: 'Name',
  description: 'Description',
  clientId: 'Client',
  paper: 'Paper',
  accent: 'Accent',
  bodyFont: 'Font of texts',
  headingFont: 'Font of headings',
  codeFont: 'Font of code',
  header: 'Page header',
  footer: 'Page footer',
  coverTitle: 'Title',
  coverSubtitle: 'Subtitle',
  coverNote: 'Note',
  classification: 'Classification',
  severityNames: 'Names of severities',
  severityColors: 'Colours of severities',
  labels: 'Words',
  findingParts: 'Parts of a finding',
  findingOrder: 'Order of findings',
  groupBySeverity: 'Grouped by severity',
  tableOfContents: 'Table of contents',
  fileNamePattern: 'Name of files',
} as const

/** What a template sets without code. */
export const SettingsForm = ({ template }: { template: Template }) => {
  const { id } = useOrganization()
  const cache = useQueryClient()
  const params = { templateId: template.id }
  const clients = useQuery(query(id, 'listClients', { query: { perPage: 100, sort: 'name', order: 'asc' } }))
  const send = useSend(id, 'updateReportTemplate', staleTemplateReads(id))
  const form = useDraftForm({
    draft: `report-template/${template.id}/settings`,
    saved: savedOf(template),
    send: (values, ifUpdatedAt) =>
      send({
        params,
        body: {
          name: values.name.trim(),
          description: values.description.trim(),
          clientId: values.clientId === DEFAULT ? null : values.clientId,
          settings: settingsOf(values, template.settings),
          ...(ifUpdatedAt && { ifUpdatedAt }),
        },
      }),
    savedBy: ({ data }) => savedOf(data),
    reread: async () => savedOf((await cache.fetchQuery(query(id, 'getReportTemplate', { params, query: {} }))).data),
    onSaved: ({ data }) =>
      toast(data.version > template.version ? `Saved as draft of version ${data.version}.` : 'Saved.'),
  })
  const fonts = [...new Set([FONTS.body, FONTS.code, ...template.fonts.map(({ family }) => family)])]
  const fontField = (name: 'bodyFont' | 'headingFont' | 'codeFont', usual: string) => (
    <Choice
      label={LABELS[name]}
      data={[
        { value: '', label: `${usual} (default)` },
        ...[...new Set([...fonts, form.values[name]])]
          .filter((font) => font !== '' && font !== usual)
          .map((font) => ({ value: font, label: font })),
      ]}
      {...form.getInputProps(name)}
    />
  )
  return (
    <fieldset disabled={template.builtIn} className={classes.fields}>
      <PageForm
        form={form}
        labels={LABELS}
        submitLabel="Save"
        disabled={template.builtIn || !form.hasChanges || !form.values.name.trim()}
      >
        <Part title="Template">
          <TextInput label="Name" maxLength={100} {...form.getInputProps('name')} />
          <TextInput label="Description" maxLength={500} {...form.getInputProps('description')} />
          <Choice
            label="Client"
            description="Reports of other clients cannot use it."
            data={[
              { value: DEFAULT, label: 'All clients' },
              ...(clients.data?.data ?? []).map(({ id: value, name }) => ({ value, label: name })),
            ]}
            {...form.getInputProps('clientId')}
          />
        </Part>
        <Part title="Page">
          <div className={classes.pair}>
            <Choice
              label="Paper"
              data={[{ value: DEFAULT, label: 'A4 (default)' }, ...optionsOf(PAPER_LABELS)]}
              {...form.getInputProps('paper')}
            />
            <ColorField label="Accent" {...form.getInputProps('accent')} />
          </div>
          <div className={classes.triple}>
            {fontField('bodyFont', FONTS.body)}
            {fontField('headingFont', FONTS.heading)}
            {fontField('codeFont', FONTS.code)}
          </div>
          <TextInput
            label="Page header"
            placeholder="{{report.title}}"
            description="Placeholders such as {{client.name}} are replaced."
            maxLength={200}
            {...form.getInputProps('header')}
          />
          <TextInput label="Page footer" maxLength={200} {...form.getInputProps('footer')} />
          <Choice
            label="Classification"
            description="On the cover and each page."
            data={[{ value: DEFAULT, label: 'Default' }, ...optionsOf(CLASSIFICATION_LABELS)]}
            {...form.getInputProps('classification')}
          />
        </Part>
        <Part title="Cover">
          <TextInput
            label="Title"
            placeholder="The title of the report"
            maxLength={300}
            {...form.getInputProps('coverTitle')}
          />
          <TextInput label="Subtitle" maxLength={300} {...form.getInputProps('coverSubtitle')} />
          <Textarea label="Note" maxLength={1_000} autosize minRows={2} {...form.getInputProps('coverNote')} />
        </Part>
        <Part title="Findings">
          <FindingParts
            value={form.values.findingParts}
            onChange={(parts) => form.setFieldValue('findingParts', parts)}
          />
          <Radio.Group label="Order" {...form.getInputProps('findingOrder')}>
            <Stack gap={6} mt={6}>
              <Radio size="xs" value="severity" label="Worst first" />
              <Radio size="xs" value="report" label="As ordered in the engagement" />
            </Stack>
          </Radio.Group>
          <Checkbox
            label="Group findings by severity"
            {...form.getInputProps('groupBySeverity', { type: 'checkbox' })}
          />
        </Part>
        <Part title="Severities">
          <SeverityLooks
            names={form.values.severityNames}
            colors={form.values.severityColors}
            onNames={(names) => form.setFieldValue('severityNames', names)}
            onColors={(colors) => form.setFieldValue('severityColors', colors)}
          />
        </Part>
        <Part title="Document">
          <Checkbox label="Table of contents" {...form.getInputProps('tableOfContents', { type: 'checkbox' })} />
          <TextInput
            label="Name of files"
            placeholder="{client} {title} {version}"
            description={`Replaced: ${FILE_NAME_TOKENS.map((token) => `{${token}}`).join(', ')}.`}
            maxLength={200}
            {...form.getInputProps('fileNamePattern')}
          />
        </Part>
        <Part title="Words">
          <LabelLines
            value={form.values.labels}
            languages={template.languages}
            onChange={(lines) => form.setFieldValue('labels', lines)}
          />
        </Part>
      </PageForm>
    </fieldset>
  )
}

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className={classes.group} aria-label={title}>
    <h2>{title}</h2>
    {children}
  </section>
)
