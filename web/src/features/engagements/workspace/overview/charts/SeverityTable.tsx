import { Text } from '@mantine/core'
import type { Output } from '@sortie/client/calls.ts'
import { SeverityLabel } from '../../../../../domain/SeverityLabel.tsx'
import { SEVERITY_LABELS, STATUS_LABELS } from '../../../../../domain/vulnerability-words.ts'
import { paths } from '../../../../../paths.ts'
import { useEngagement } from '../../../../../shell/context/engagement.tsx'
import { useOrganization } from '../../../../../shell/context/organization.tsx'
import { PlainLink } from '../../../../../shell/routing/links.tsx'
import classes from './charts.module.css'

type Counts = Output<'getResultSummary'>['data']['vulnerabilities']
type Severity = keyof Counts
type Status = keyof Counts[Severity]

const LABELS: Record<Severity, string> = { ...SEVERITY_LABELS, none: 'Not rated' }
/** What has to be dealt with. */
const OPEN = ['open', 'confirmed'] as const satisfies readonly Status[]

const NUMBER = new Intl.NumberFormat('en')

/** Open findings in scope by severity, worst first; each number links to its list. Omits severities without any. */
export const SeverityTable = ({ counts }: { counts: Counts }) => {
  const { slug } = useOrganization()
  const { engagement } = useEngagement()
  const severities = (Object.keys(LABELS) as Severity[]).filter((severity) =>
    OPEN.some((status) => counts[severity][status] > 0),
  )
  if (severities.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        No open findings.
      </Text>
    )
  }
  const list = paths.results(slug, engagement.id)
  return (
    <div className={classes.scroll}>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">Severity</th>
            {OPEN.map((status) => (
              <th key={status} scope="col">
                {STATUS_LABELS[status]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {severities.map((severity) => (
            <tr key={severity}>
              <th scope="row">{severity === 'none' ? LABELS.none : <SeverityLabel severity={severity} />}</th>
              {OPEN.map((status) => (
                <td key={status}>
                  <Cell
                    count={counts[severity][status]}
                    to={list}
                    search={{ kind: 'vulnerability', severity, status, verdict: 'in,caution,unknown' }}
                    name={`${LABELS[severity]}, ${STATUS_LABELS[status]}`}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const Cell = ({
  count,
  to,
  search,
  name,
}: {
  count: number
  to: string
  search: Record<string, string>
  name: string
}) =>
  count === 0 ? (
    <span className={classes.nothing}>0</span>
  ) : (
    <PlainLink to={to} search={search} className={classes.number} hint={name}>
      {NUMBER.format(count)}
    </PlainLink>
  )
