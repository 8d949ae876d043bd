import { Text, VisuallyHidden } from '@mantine/core'
import type { Output } from '@sortie/client/calls.ts'
import { paths } from '../../../../../paths.ts'
import { useEngagement } from '../../../../../shell/context/engagement.tsx'
import { useOrganization } from '../../../../../shell/context/organization.tsx'
import { PlainLink } from '../../../../../shell/routing/links.tsx'
import { formatShortDay } from '../../../../../ui/dates/dates.ts'
import classes from './charts.module.css'

type Week = Output<'getResultSummary'>['data']['weeks'][number]

const DAY_MS = 24 * 60 * 60 * 1_000
const NUMBER = new Intl.NumberFormat('en')

/** Column chart of findings per week; each column links to the diff of that week. */
export const Weeks = ({ weeks }: { weeks: readonly Week[] }) => {
  const { slug } = useOrganization()
  const { engagement } = useEngagement()
  const totals = weeks.map(totalOf)
  const highest = Math.max(...totals)
  const top = topOf(totals)
  if (highest === 0) {
    return (
      <Text size="sm" c="dimmed">
        Nothing in the last twelve weeks. Run a scan, or import the file of a scanner.
      </Text>
    )
  }
  const diff = paths.resultsDiff(slug, engagement.id)
  return (
    <>
      <ol className={classes.weeks}>
        {weeks.map((week) => (
          <li key={week.startsOn}>
            <PlainLink to={diff} search={momentsOf(week)} className={classes.week} hint={inWords(week)}>
              <VisuallyHidden>{inWords(week)}</VisuallyHidden>
              <span
                className={classes.column}
                {...(totalOf(week) > top && { 'data-cut': NUMBER.format(totalOf(week)) })}
                aria-hidden
              >
                <span
                  className={classes.part}
                  data-part="vulnerabilities"
                  style={{ height: `${(100 * week.vulnerabilities) / shownBy(week, top)}%` }}
                />
                <span
                  className={classes.part}
                  data-part="others"
                  style={{ height: `${(100 * week.others) / shownBy(week, top)}%` }}
                />
              </span>
            </PlainLink>
          </li>
        ))}
      </ol>
      <div className={classes.axis} aria-hidden>
        <span>{dayOf(weeks[0])}</span>
        <span>{dayOf(weeks.at(-1))}</span>
      </div>
      <p className={classes.legend}>
        <span className={classes.part} data-part="vulnerabilities" aria-hidden /> Vulnerabilities{' '}
        <span className={classes.part} data-part="others" aria-hidden /> Hosts, services and others; at most{' '}
        {NUMBER.format(highest)} in a week
      </p>
    </>
  )
}

const totalOf = ({ vulnerabilities, others }: Week): number => vulnerabilities + others

/** A column this many times as high as all others would leave them without height, as the first import often does. */
const DWARFING = 4

/**
 * Where the scale ends: at the highest column, or at twice the second if the highest would dwarf it. Higher columns are
 * cut.
 */
const topOf = (totals: readonly number[]): number => {
  const [first = 0, second = 0] = totals.toSorted((a, b) => b - a)
  return second > 0 && first > DWARFING * second ? 2 * second : first
}

/** What the full height of a column means: a cut one fills it. */
const shownBy = (week: Week, top: number): number => Math.max(top, totalOf(week))

const dayOf = (week: Week | undefined): string => (week ? formatShortDay(week.startsOn) : '')

/** Monday to the next Monday. */
const momentsOf = ({ startsOn }: Week) => ({
  from: `${startsOn}T00:00:00.000Z`,
  to: new Date(Date.parse(startsOn) + 7 * DAY_MS).toISOString(),
})

const inWords = (week: Week): string =>
  `Week of ${dayOf(week)}: ${counted(week.vulnerabilities, 'vulnerability', 'vulnerabilities')}, ${counted(week.others, 'other result', 'other results')}`

const counted = (count: number, one: string, many: string): string =>
  `${NUMBER.format(count)} ${count === 1 ? one : many}`
