import { MultiSelect, Select, Switch, TagsInput, Text } from '@mantine/core'
import { useState } from 'react'
import { describeDays } from '../../../../domain/engagement-days.ts'
import { useEngagement } from '../../../../shell/context/engagement.tsx'
import { useMembers } from '../../../../shell/context/use-members.ts'
import { writtenOf } from '../../../../shell/fields/custom/custom-fields.ts'
import { CustomFields, TextValue } from '../../../../shell/fields/custom/CustomFields.tsx'
import { DateField } from '../../../../ui/dates/DateField.tsx'
import { Choice } from '../../../../ui/fields/Choice.tsx'
import { Properties } from '../../../../ui/lists/Properties.tsx'
import { optionsOf } from '../../../../ui/values/options-of.ts'
import { TimeAgo } from '../../../../ui/values/TimeAgo.tsx'
import { ACCESS_LABELS } from '../../access.ts'
import { KIND_OPTIONS } from '../../kinds.ts'
import { ClientName } from './ClientName.tsx'
import { LEAD_FIELD } from './lead-field.ts'
import classes from './properties.module.css'
import { TestingHoursValue } from './TestingHoursValue.tsx'
import { useSetDetails } from './use-set-details.ts'

const ACCESS_OPTIONS = optionsOf(ACCESS_LABELS)

/** Client, kinds, dates, hours, people and access of the open engagement, saved one by one. */
export const EngagementProperties = () => {
  const { engagement } = useEngagement()
  const { details, set } = useSetDetails()
  const days = engagement.status === 'active' ? describeDays(details) : undefined
  const members = useMembers().data ?? []
  const people = new Map(
    [...members, ...details.team, ...(details.lead ? [details.lead] : [])].map(({ id, name }) => [id, name]),
  )
  const options = [...people].map(([value, label]) => ({ value, label }))
  const personOf = (id: string) => ({ id, name: people.get(id) ?? '' })
  return (
    <div className={classes.properties}>
      <ClientName value={details.clientName} onTake={(clientName) => set({ clientName })} />
      <Kinds value={details.kinds} onTake={(kinds) => set({ kinds })} />
      <div className={classes.pair}>
        <DateField
          savesEach
          label="First day"
          value={details.startsOn}
          onChange={(day) => set({ startsOn: day || null })}
        />
        <DateField savesEach label="Last day" value={details.endsOn} onChange={(day) => set({ endsOn: day || null })} />
      </div>
      {days && (
        <Text size="xs" c="dimmed">
          {days}
        </Text>
      )}
      <TestingHoursValue />
      <Select
        id={LEAD_FIELD}
        label="Lead"
        placeholder="None"
        data={options}
        searchable
        clearable
        value={details.lead?.id ?? null}
        onChange={(id) => set({ lead: id }, { lead: id === null ? null : personOf(id) })}
      />
      <MultiSelect
        label="Team"
        placeholder={details.team.length === 0 ? 'Add someone' : ''}
        data={options}
        searchable
        maxValues={100}
        value={details.team.map(({ id }) => id)}
        onChange={(ids) => set({ team: ids }, { team: ids.map(personOf) })}
      />
      <Choice label="Visible to" data={ACCESS_OPTIONS} value={details.access} onChange={(access) => set({ access })} />
      <TextValue
        label="Prefix of task ids"
        description="MF gives MF-12."
        maxLength={10}
        value={details.prefix}
        onTake={(prefix) => set({ prefix })}
      />
      <TagsInput
        label="Words of reports"
        description="Accepted by the spelling check: names of products and systems."
        maxTags={500}
        value={details.reportWords}
        onChange={(reportWords) => set({ reportWords })}
      />
      <Switch
        label="Template"
        description="New engagements can start from a copy of it."
        checked={details.isTemplate}
        onChange={({ currentTarget }) => set({ isTemplate: currentTarget.checked })}
      />
      <CustomFields
        objectType="engagement"
        values={writtenOf(details.fields)}
        savesEach
        onChange={(key, value) => set({ fields: { [key]: value } }, {})}
      />
      <Properties
        items={[
          ['Created', <TimeAgo key="created" iso={engagement.createdAt} />],
          ['Changed', <TimeAgo key="changed" iso={engagement.updatedAt} />],
        ]}
      />
    </div>
  )
}

type KindsValue = ReturnType<typeof useSetDetails>['details']['kinds']

/** An engagement has at least one kind: without any, nothing is saved until one is chosen. */
const Kinds = ({ value, onTake }: { value: KindsValue; onTake: (kinds: KindsValue) => void }) => {
  const [isEmpty, setEmpty] = useState(false)
  return (
    <MultiSelect
      label="Kinds"
      data={KIND_OPTIONS}
      searchable
      value={isEmpty ? [] : value}
      error={isEmpty && 'Choose at least one kind.'}
      onBlur={() => setEmpty(false)}
      onChange={(kinds) => {
        setEmpty(kinds.length === 0)
        if (kinds.length > 0) onTake(kinds)
      }}
    />
  )
}
