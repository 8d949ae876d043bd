import { Select, TagsInput } from '@mantine/core'
import { RemediationLabel } from '../../../../domain/finding-words.tsx'
import { useMembersWithAccess } from '../../../../shell/context/use-members-with-access.ts'
import { writtenOf } from '../../../../shell/fields/custom/custom-fields.ts'
import { CustomFields, TextValue } from '../../../../shell/fields/custom/CustomFields.tsx'
import { Classification } from '../../../../shell/fields/rating/Classification.tsx'
import { SeverityFields } from '../../../../shell/fields/rating/SeverityFields.tsx'
import { Choice } from '../../../../ui/fields/Choice.tsx'
import { MenuField } from '../../../../ui/fields/MenuField.tsx'
import { Properties } from '../../../../ui/lists/Properties.tsx'
import { CopyId } from '../../../../ui/values/CopyId.tsx'
import { optionsOf } from '../../../../ui/values/options-of.ts'
import { TimeAgo } from '../../../../ui/values/TimeAgo.tsx'
import classes from '../../findings.module.css'
import { type Finding, VERIFICATION_LABELS } from '../../labels.ts'
import { SEVERITY_SHORTCUT, STATUS_SHORTCUT, StatusChoices } from '../../triage/FindingMenus.tsx'
import { useSetFinding } from '../../use-set-finding.ts'
import { ClientAnswer } from './ClientAnswer.tsx'
import { RetestOfField } from './RetestOfField.tsx'

/** Properties of a finding, saved one by one. */
export const FindingProperties = ({ finding: stored, mayChange }: { finding: Finding; mayChange: boolean }) => {
  const { finding, set } = useSetFinding(stored)
  const disabled = !mayChange
  return (
    <aside className={classes.properties} aria-label="Properties">
      <SeverityFields
        severity={finding.severity}
        cvssVector={finding.cvssVector}
        severityReason={finding.severityReason}
        onChange={set}
        disabled={disabled}
        shortcut={SEVERITY_SHORTCUT}
      />
      <MenuField
        label="Status"
        shortcut={STATUS_SHORTCUT}
        disabled={disabled}
        value={<RemediationLabel status={finding.status} />}
      >
        <StatusChoices set={({ status }) => status && set({ status })} />
      </MenuField>
      <div className={classes.pair}>
        <Person
          label="Author"
          finding={finding}
          value={finding.author}
          disabled={disabled}
          onChange={(author) => set({ authorId: author?.id ?? null }, { author })}
        />
        <Person
          label="Reviewer"
          finding={finding}
          value={finding.reviewer}
          disabled={disabled}
          onChange={(reviewer) => set({ reviewerId: reviewer?.id ?? null }, { reviewer })}
        />
      </div>
      <Choice
        label="Verification"
        data={optionsOf(VERIFICATION_LABELS)}
        value={finding.verification}
        disabled={disabled}
        onChange={(chosen) => set({ verification: chosen })}
      />
      <RetestOfField finding={finding} disabled={disabled} onChange={(retestOf) => set({ retestOf })} />
      <Classification values={finding} onChange={set} disabled={disabled} />
      <TextValue
        area
        label="References"
        placeholder="One per line"
        value={finding.references.join('\n')}
        disabled={disabled}
        onTake={(text) => set({ references: linesOf(text) })}
      />
      <TagsInput
        label="Tags"
        value={finding.tags}
        maxTags={50}
        disabled={disabled}
        onChange={(tags) => set({ tags })}
      />
      <CustomFields
        objectType="finding"
        values={writtenOf(finding.fields)}
        savesEach
        disabled={disabled}
        onChange={(key, value) => set({ fields: { [key]: value } }, {})}
      />
      <ClientAnswer finding={finding} set={set} disabled={disabled} />
      <Properties
        items={[
          ['Created', <TimeAgo key="created" iso={finding.createdAt} />],
          ['Changed', <TimeAgo key="changed" iso={finding.updatedAt} />],
          ['Id', <CopyId key="id" id={finding.id} />],
        ]}
      />
    </aside>
  )
}

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)

interface PersonProps {
  label: string
  finding: Finding
  value: Finding['author']
  disabled: boolean
  onChange: (person: Finding['author']) => void
}

const Person = ({ label, finding, value, disabled, onChange }: PersonProps) => {
  const people = new Map(useMembersWithAccess(finding.engagementId).map(({ id, name }) => [id, name]))
  if (value) people.set(value.id, value.name)
  return (
    <Select
      label={label}
      placeholder="Unassigned"
      data={[...people].map(([id, name]) => ({ value: id, label: name }))}
      value={value?.id ?? null}
      searchable
      clearable
      disabled={disabled}
      onChange={(id) => onChange(id === null ? null : { id, name: people.get(id) ?? '' })}
    />
  )
}
