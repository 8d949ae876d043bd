import { Checkbox, Radio, Stack, TextInput } from '@mantine/core'
import { SEVERITIES, type Severity } from '@sortie/contract/core/values.ts'
import { WEBHOOK_FORMATS } from '@sortie/contract/organization/webhook-endpoints.ts'
import { WEBHOOK_EVENTS, type WebhookEvent } from '@sortie/contract/organization/webhook-events.ts'
import { SEVERITY_LABELS } from '../../../domain/vulnerability-words.ts'
import type { FieldLabels } from '../../../forms/conflict/ConflictView.tsx'
import type { DraftForm } from '../../../forms/use-draft-form.ts'
import { EngagementChoice } from '../../../shell/fields/EngagementChoice.tsx'
import { Choice } from '../../../ui/fields/Choice.tsx'
import { FORMAT_LABELS, type Webhook } from '../webhook.ts'

export type WebhookValues = {
  name: string
  url: string
  events: WebhookEvent[]
  engagementIds: 'open' | string[] | null
  minSeverity: Severity | null
  format: Webhook['format']
  detail: Webhook['detail']
}

export const LABELS: FieldLabels<WebhookValues> = {
  name: 'Name',
  url: 'Address',
  events: 'Events',
  engagementIds: {
    label: 'Engagements',
    show: (value: WebhookValues['engagementIds']) =>
      value === null ? 'Every engagement' : value === 'open' ? 'Shared with the whole organization' : value.join(', '),
  },
  minSeverity: { label: 'Lowest severity', show: (value: Severity | null) => severityLabel(value) },
  format: 'Format',
  detail: 'Detail',
}

/** What is missing before the form can be sent. */
export const isIncomplete = ({ name, url, events, engagementIds }: WebhookValues): boolean =>
  !name.trim() || !url.trim() || events.length === 0 || engagementIds?.length === 0

const ANY = 'any'
const severityLabel = (severity: Severity | null): string => (severity === null ? 'Any' : SEVERITY_LABELS[severity])

/** The fields of a new and of an edited webhook. */
export const WebhookFields = ({ form }: { form: DraftForm<WebhookValues> }) => {
  const { events, engagementIds, minSeverity, format } = form.values
  return (
    <>
      <TextInput
        label="Name"
        placeholder="Ticket system"
        maxLength={100}
        {...form.getInputProps('name')}
        autoComplete="off"
        data-autofocus
      />
      <TextInput
        label="Address"
        description="Where messages are sent to; it starts with https://."
        placeholder="https://hooks.contoso.example/sortie"
        maxLength={2000}
        {...form.getInputProps('url')}
        autoComplete="off"
      />
      <Choice
        label="Format"
        data={WEBHOOK_FORMATS.map((value) => ({ value, label: FORMAT_LABELS[value] }))}
        value={format}
        onChange={(value) => form.setFieldValue('format', value)}
      />
      <Radio.Group label="Detail" description="What messages say about an object." {...form.getInputProps('detail')}>
        <Stack gap={6} mt={6}>
          <Radio value="thin" label="Ids and links" />
          <Radio value="full" label="The whole object" description="Titles and texts leave this server." />
        </Stack>
      </Radio.Group>
      <EngagementChoice
        value={engagementIds ?? undefined}
        onChange={(value) =>
          form.setFieldValue('engagementIds', typeof value === 'object' ? [...value] : (value ?? null))
        }
        listedHint="The webhook gets no events of the organization, such as new members."
        error={form.errors.engagementIds as string | undefined}
      />
      <Checkbox.Group
        label="Events"
        value={events}
        onChange={(chosen) =>
          form.setFieldValue(
            'events',
            WEBHOOK_EVENTS.filter((event) => chosen.includes(event)),
          )
        }
      >
        <Stack gap={6} mt={6}>
          {WEBHOOK_EVENTS.map((event) => (
            <Checkbox key={event} value={event} label={event} />
          ))}
        </Stack>
      </Checkbox.Group>
      {events.includes('result.created') && (
        <Choice
          label="Lowest severity"
          description="Of vulnerabilities, for the event result.created."
          data={[
            { value: ANY, label: severityLabel(null) },
            ...SEVERITIES.toReversed().map((value) => ({ value, label: severityLabel(value) })),
          ]}
          value={minSeverity ?? ANY}
          onChange={(value) => form.setFieldValue('minSeverity', value === ANY ? null : value)}
        />
      )}
    </>
  )
}
