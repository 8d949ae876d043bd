import { Switch, Text } from '@mantine/core'
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
import { EditionChoice, MethodologyChoice } from './option-fields.tsx'
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
            automatic="As set for the report"
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
            automatic="As set for the report"
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
