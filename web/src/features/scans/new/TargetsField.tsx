import { Checkbox, Group, Radio, Stack, TagsInput, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { query } from '../../../api/api.ts'
import type { ChosenTargets } from '../../../domain/chosen-targets.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { MomentField } from '../../../shell/fields/MomentField.tsx'
import { describeTargets } from '../labels.ts'
import classes from '../scans.module.css'
import { KIND_LABELS, type ScanValues, targetsOf } from './scan-values.ts'
import { TargetCount } from './TargetCount.tsx'

type Values = Pick<ScanValues, 'about' | 'kinds' | 'tags' | 'since'>

interface TargetsFieldProps {
  engagementId: string
  isUnscoped: boolean
  chosen: ChosenTargets | undefined
  /** A schedule cannot compare with a moment or use an explicit selection. */
  isForSchedule?: boolean
  values: Values
  onChange: (changes: Partial<Values>) => void
}

/** Selects the targets of a scan, and shows their number. */
export const TargetsField = ({
  engagementId,
  isUnscoped,
  chosen,
  isForSchedule = false,
  values,
  onChange,
}: TargetsFieldProps) => (
  <fieldset className={classes.fieldset}>
    <legend>Targets</legend>
    <Radio.Group aria-label="Targets" value={values.about} onChange={(about) => onChange({ about })}>
      <Stack gap="xs">
        {chosen && <Radio value="chosen" label={describeTargets(chosen)} />}
        <Radio value="scope" label={isUnscoped ? 'All except out of scope' : 'All in scope'} />
        <Radio value="some" label="Some, by kind or tag" />
        {values.about === 'some' && <Some engagementId={engagementId} values={values} onChange={onChange} />}
        {!isForSchedule && <Radio value="new" label="New results" description="Targets with new results since then." />}
        {values.about === 'new' && (
          <div className={classes.indented}>
            <MomentField
              label="Since"
              engagementId={engagementId}
              value={values.since}
              onChange={(since) => onChange({ since })}
            />
          </div>
        )}
      </Stack>
    </Radio.Group>
    <TargetCount engagementId={engagementId} targets={targetsOf(values, { engagementId, isUnscoped, chosen })} />
  </fieldset>
)

const SHOWN_TAGS = 50

const Some = ({ engagementId, values, onChange }: Pick<TargetsFieldProps, 'engagementId' | 'values' | 'onChange'>) => {
  const organization = useOrganization()
  const tags = useQuery({
    ...query(organization.id, 'countTargets', { query: { engagementId, by: ['tag'] } }),
    select: ({ data }) => Object.keys(data.tag ?? {}).slice(0, SHOWN_TAGS),
  })
  return (
    <div className={classes.indented}>
      <Checkbox.Group label="Kinds" value={values.kinds} onChange={(kinds) => onChange({ kinds })}>
        <Group gap="sm" mt={6}>
          {Object.entries(KIND_LABELS).map(([kind, label]) => (
            <Checkbox key={kind} size="xs" value={kind} label={label} />
          ))}
        </Group>
      </Checkbox.Group>
      <TagsInput
        label="With any of these tags"
        data={tags.data ?? []}
        value={values.tags}
        onChange={(chosen) => onChange({ tags: chosen })}
        maxTags={50}
        maxLength={64}
        splitChars={[',']}
        acceptValueOnBlur
      />
      <Text size="xs" c="dimmed">
        Leave both empty for all kinds, with and without tags.
      </Text>
    </div>
  )
}
