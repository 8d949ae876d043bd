import { Alert, Button, Checkbox, Group, MultiSelect, Radio, Stack, Text, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { messageOf, query, useApiMutation } from '../../../api/api.ts'
import { useSend } from '../../../api/use-send.ts'
import { FINDING_STATE_LABELS, REMEDIATION_LABELS } from '../../../domain/finding-words.tsx'
import {
  languageOptions,
  type Report,
  REPORT_KIND_LABELS,
  staleReportReads,
} from '../../../domain/reports/report-words.tsx'
import { SEVERITY_LABELS } from '../../../domain/vulnerability-words.ts'
import { PageForm } from '../../../forms/Form.tsx'
import { useDraftForm } from '../../../forms/use-draft-form.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { useMembersWithAccess } from '../../../shell/context/use-members-with-access.ts'
import { Choice } from '../../../ui/fields/Choice.tsx'
import { toast, toastError } from '../../../ui/toasts/toast.ts'
import { optionsOf } from '../../../ui/values/options-of.ts'
import { reportReturn } from '../outline/use-sections.ts'
import { useUsableTemplates } from '../report-defaults.ts'
import { EditionChoice, MethodologyChoice } from '../section/option-fields.tsx'
import { ChosenFindings } from './ChosenFindings.tsx'
import { filterOf, type FindingChoice, savedOf } from './report-form.ts'
import classes from './settings.module.css'

interface ReportSettingsProps {
  report: Report
  mayChange: boolean
}

const LABELS = {
  title: 'Title',
  kind: 'Kind',
  language: 'Language',
  templateId: 'Template',
  authorIds: 'Authors',
  findings: 'Findings',
  options: 'Sections that fill themselves',
} as const

/** Title, kind, language, template, authors and findings of a report. */
export const ReportSettings = ({ report, mayChange }: ReportSettingsProps) => {
  const { id } = useOrganization()
  const cache = useQueryClient()
  const params = { reportId: report.id }
  const templates = useUsableTemplates().data?.data ?? []
  const people = useMembersWithAccess(report.engagementId).map(({ id: userId, name }) => ({
    value: userId,
    label: name,
  }))
  const known = new Set(people.map(({ value }) => value))
  const send = useSend(id, 'updateReport', staleReportReads(id))
  const form = useDraftForm({
    draft: `report/${report.id}/settings`,
    saved: savedOf(report),
    send: ({ findings, ...values }, ifUpdatedAt) =>
      send({
        params,
        body: {
          ...values,
          title: values.title.trim(),
          findingFilter: filterOf(findings, report.findingFilter),
          ...(ifUpdatedAt && { ifUpdatedAt }),
        },
      }),
    savedBy: ({ data }) => savedOf(data),
    reread: async () => savedOf((await cache.fetchQuery(query(id, 'getReport', { params }))).data),
    onSaved: ({ meta }) => {
      toast('Saved.')
      reportReturn(meta)
    },
  })
  const { findings, templateId, options } = form.values
  const template = templates.find((each) => each.id === templateId)
  const setFindings = (change: Partial<FindingChoice>) => form.setFieldValue('findings', { ...findings, ...change })
  const setOptions = (change: Report['options']) => form.setFieldValue('options', { ...options, ...change })
  return (
    <div className={classes.settings}>
      <NewerTemplate
        report={report}
        latest={templates.find((each) => each.id === report.templateId)}
        mayChange={mayChange}
      />
      <fieldset disabled={!mayChange} className={classes.fields}>
        <PageForm
          form={form}
          labels={LABELS}
          submitLabel="Save"
          disabled={!mayChange || !form.hasChanges || !form.values.title.trim()}
        >
          <TextInput label="Title" maxLength={300} {...form.getInputProps('title')} />
          <Group grow align="flex-start">
            <Choice label="Kind" data={optionsOf(REPORT_KIND_LABELS)} {...form.getInputProps('kind')} />
            <Choice
              label="Language"
              data={languageOptions([report.language, ...(template?.languages ?? [])])}
              {...form.getInputProps('language')}
            />
          </Group>
          <Choice
            label="Template"
            description="The look of the report. Its sections stay as they are."
            data={[
              ...templates.map(({ id: value, name }) => ({ value, label: name })),
              ...(templates.some((each) => each.id === report.templateId)
                ? []
                : [{ value: report.templateId, label: 'The current template' }]),
            ]}
            {...form.getInputProps('templateId')}
          />
          <MultiSelect
            label="Authors"
            description="Named on the cover."
            data={[
              ...people,
              ...report.authors
                .filter((author) => !known.has(author.id))
                .map(({ id: value, name }) => ({ value, label: name })),
            ]}
            searchable
            maxValues={50}
            {...form.getInputProps('authorIds')}
          />
          <Fieldset legend="Sections that fill themselves" description="For those that have no choice of their own.">
            <MethodologyChoice
              automatic="The one with the most outcomes"
              value={options.methodologyId ?? null}
              disabled={!mayChange}
              onChange={(methodologyId) => setOptions({ methodologyId })}
            />
            <EditionChoice
              automatic="The latest edition"
              reportId={report.id}
              value={options.since ?? null}
              disabled={!mayChange}
              onChange={(since) => setOptions({ since })}
            />
            <Checkbox
              label="Hosts and services: only those with findings"
              checked={options.onlyAffectedTargets ?? false}
              onChange={({ currentTarget }) => setOptions({ onlyAffectedTargets: currentTarget.checked })}
            />
          </Fieldset>
          <Radio.Group label="Findings" value={findings.mode} onChange={(mode) => setFindings({ mode: mode })}>
            <Stack gap={6} mt={6}>
              <Radio size="xs" value="all" label="All, except withdrawn ones" />
              <Radio size="xs" value="filter" label="Only some severities, states or tags" />
              <Radio size="xs" value="ids" label="Chosen ones" />
            </Stack>
          </Radio.Group>
          {findings.mode === 'filter' && <FilterFields value={findings} onChange={setFindings} />}
          {findings.mode === 'ids' && (
            <ChosenFindings
              engagementId={report.engagementId}
              value={findings.ids}
              onChange={(ids) => setFindings({ ids })}
            />
          )}
        </PageForm>
      </fieldset>
    </div>
  )
}

const Fieldset = ({ legend, description, children }: { legend: string; description: string; children: ReactNode }) => (
  <section className={classes.filter} aria-label={legend}>
    <div>
      <Text size="sm" fw={500}>
        {legend}
      </Text>
      <Text size="sm" c="dimmed">
        {description}
      </Text>
    </div>
    {children}
  </section>
)

const FilterFields = ({
  value,
  onChange,
}: {
  value: FindingChoice
  onChange: (change: Partial<FindingChoice>) => void
}) => {
  const group = (name: 'severity' | 'state' | 'status', label: string, labels: Readonly<Record<string, string>>) => (
    <Checkbox.Group label={label} value={value[name]} onChange={(next) => onChange({ [name]: next })}>
      <Group gap="md" mt={6}>
        {Object.entries(labels).map(([key, text]) => (
          <Checkbox key={key} value={key} label={text} />
        ))}
      </Group>
    </Checkbox.Group>
  )
  return (
    <div className={classes.filter}>
      {group('severity', 'Severity', SEVERITY_LABELS)}
      {group('state', 'State', FINDING_STATE_LABELS)}
      {group('status', 'Status', REMEDIATION_LABELS)}
      <TextInput
        label="Tag"
        maxLength={100}
        value={value.tag}
        onChange={({ currentTarget }) => onChange({ tag: currentTarget.value })}
      />
      <Text size="sm" c="dimmed">
        Without a choice in a line, every value is included.
      </Text>
    </div>
  )
}

interface NewerTemplateProps extends ReportSettingsProps {
  latest: { name: string; publishedVersion: number | null } | undefined
}

/** Offers the newer version of the template, which changes only how the report looks. */
const NewerTemplate = ({ report, latest, mayChange }: NewerTemplateProps) => {
  const { id } = useOrganization()
  const update = useApiMutation(id, 'updateReport', {
    invalidates: staleReportReads(id),
    onSuccess: ({ meta }) => reportReturn(meta),
    onError: (error) => toastError(messageOf(error)),
  })
  if (!mayChange || !latest || (latest.publishedVersion ?? 0) <= report.templateVersion) return null
  return (
    <Alert color="accent" variant="light" role="status">
      <Group justify="space-between" gap="xs">
        <span>
          {latest.name} has version {latest.publishedVersion}. This report uses version {report.templateVersion}.
        </span>
        <Button
          variant="default"
          loading={update.isPending}
          onClick={() => update.mutate({ params: { reportId: report.id }, body: { templateId: report.templateId } })}
        >
          Use version {latest.publishedVersion}
        </Button>
      </Group>
    </Alert>
  )
}
