import { Switch, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { query } from '../../../api/api.ts'
import { LIVE_LABELS, LIVE_PAGES, LIVE_SENTENCES, type LiveType } from '../../../domain/reports/live-sections.ts'
import type { Report, ReportSection } from '../../../domain/reports/report-words.tsx'
import { paths } from '../../../paths.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { TextLink } from '../../../shell/routing/links.tsx'
import { Choice } from '../../../ui/fields/Choice.tsx'
import { IconBolt } from '../../../ui/page-icons.tsx'
import { optionsOf } from '../../../ui/values/options-of.ts'
import { useSections } from '../outline/use-sections.ts'
import classes from '../reports.module.css'
import { SectionHead } from './SectionHead.tsx'

interface LiveSectionProps {
  report: Report
  section: ReportSection
  mayChange: boolean
}

type Options = NonNullable<ReportSection['live']>['options']

/** A section that is filled from the engagement: what it shows, and its options. */
export const LiveSection = ({ report, section, mayChange }: LiveSectionProps) => {
  const { slug } = useOrganization()
  const { update } = useSections(report)
  const { live } = section
  if (!live) return null
  const { type, options } = live
  const source = LIVE_PAGES[type]
  const set = (change: { type?: LiveType; options?: Options }) =>
    update(section, { live: { type: change.type ?? type, options: change.options ?? options } })
  return (
    <div className={classes.section}>
      <SectionHead report={report} section={section} mayChange={mayChange} />
      <div className={classes.live}>
        <Choice
          label="Content"
          data={optionsOf(LIVE_LABELS)}
          value={type}
          disabled={!mayChange}
          onChange={(next) => set({ type: next, options: {} })}
        />
        <p className={classes.sentence}>
          <IconBolt size={16} aria-hidden />
          <span>
            {LIVE_SENTENCES[type]}{' '}
            {source && (
              <TextLink to={`${paths.engagement(slug, report.engagementId)}${source.page && `/${source.page}`}`}>
                {`Change it in ${source.label}.`}
              </TextLink>
            )}
          </span>
        </p>
        {type === 'coverage' && (
          <MethodologyChoice
            value={options.methodologyId ?? null}
            disabled={!mayChange}
            onChange={(methodologyId) => set({ options: { ...options, methodologyId } })}
          />
        )}
        {type === 'inventory' && (
          <Switch
            label="Only hosts with findings"
            checked={options.onlyAffectedTargets ?? false}
            disabled={!mayChange}
            onChange={({ currentTarget }) =>
              set({ options: { ...options, onlyAffectedTargets: currentTarget.checked } })
            }
          />
        )}
        {type === 'changes' && (
          <EditionChoice
            reportId={report.id}
            value={options.since ?? null}
            disabled={!mayChange}
            onChange={(since) => set({ options: { ...options, since } })}
          />
        )}
        <Text size="sm" c="dimmed">
          It is filled again each time the report is shown or rendered. An edition keeps what it showed.
        </Text>
      </div>
    </div>
  )
}

interface OptionProps {
  value: string | null
  disabled: boolean
  onChange: (value: string | null) => void
}

const AUTOMATIC = 'automatic'

const MethodologyChoice = ({ value, disabled, onChange }: OptionProps) => {
  const { id } = useOrganization()
  const { data } = useQuery(query(id, 'listMethodologies', { query: { perPage: 100, sort: 'name', order: 'asc' } }))
  return (
    <Choice
      label="Methodology"
      disabled={disabled}
      data={[
        { value: AUTOMATIC, label: 'The one with the most outcomes' },
        ...(data?.data ?? []).map((each) => ({ value: each.id, label: `${each.name} ${each.version}`.trim() })),
      ]}
      value={value ?? AUTOMATIC}
      onChange={(next) => onChange(next === AUTOMATIC ? null : next)}
    />
  )
}

const EditionChoice = ({ reportId, value, disabled, onChange }: OptionProps & { reportId: string }) => {
  const { id } = useOrganization()
  const { data } = useQuery(query(id, 'listReportEditions', { params: { reportId } }))
  return (
    <Choice
      label="Compared with"
      disabled={disabled}
      data={[
        { value: AUTOMATIC, label: 'The latest edition' },
        ...(data?.data ?? []).map((each) => ({ value: each.id, label: `Edition ${each.number}` })),
      ]}
      value={value ?? AUTOMATIC}
      onChange={(next) => onChange(next === AUTOMATIC ? null : next)}
    />
  )
}
