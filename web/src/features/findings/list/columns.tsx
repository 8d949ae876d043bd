import { type FindingRow, FindingStateLabel, RemediationLabel } from '../../../domain/finding-words.tsx'
import { SeverityLabel } from '../../../domain/SeverityLabel.tsx'
import { paths } from '../../../paths.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { TextLink } from '../../../shell/routing/links.tsx'
import type { GridColumn } from '../../../ui/grid/columns/columns.ts'
import { Person } from '../../../ui/people/Person.tsx'
import { TimeAgo } from '../../../ui/values/TimeAgo.tsx'
import classes from '../findings.module.css'
import { CLIENT_STATE_LABELS, describeAssets, VERIFICATION_LABELS } from '../labels.ts'
import { OrderHandle } from './OrderHandle.tsx'

export const COLUMNS: GridColumn<FindingRow>[] = [
  {
    id: 'title',
    header: 'Finding',
    hasLink: true,
    width: 280,
    sort: 'number',
    line: 1,
    cell: (finding) => <Title finding={finding} />,
  },
  {
    id: 'order',
    header: 'Order',
    width: 60,
    sort: 'position',
    isHidden: 'unless-sorted',
    cell: (finding) => <OrderHandle finding={finding} />,
  },
  {
    id: 'severity',
    header: 'Severity',
    width: 100,
    sort: 'severity',
    firstOrder: 'desc',
    line: 1,
    cell: ({ severity }) => <SeverityLabel severity={severity} />,
  },
  { id: 'state', header: 'State', width: 105, line: 2, cell: ({ state }) => <FindingStateLabel state={state} /> },
  { id: 'status', header: 'Status', width: 125, line: 2, cell: ({ status }) => <RemediationLabel status={status} /> },
  {
    id: 'affected',
    header: 'Affected',
    width: 110,
    line: 2,
    cell: ({ affectedCounts }) => describeAssets(affectedCounts),
  },
  { id: 'author', header: 'Author', width: 130, cell: ({ author }) => <Person name={author?.name} /> },
  { id: 'reviewer', header: 'Reviewer', width: 130, cell: ({ reviewer }) => <Person name={reviewer?.name} /> },
  {
    id: 'score',
    header: 'CVSS',
    width: 70,
    align: 'end',
    isHidden: true,
    cell: ({ cvssScore }) => cvssScore?.toFixed(1),
  },
  { id: 'cwe', header: 'CWE', width: 110, isHidden: true, cell: ({ cwe }) => cwe.join(', ') },
  { id: 'tags', header: 'Tags', width: 150, isHidden: true, cell: ({ tags }) => tags.join(', ') },
  {
    id: 'client',
    header: 'Client',
    width: 140,
    isHidden: true,
    cell: ({ clientStatus }) => clientStatus && CLIENT_STATE_LABELS[clientStatus.state],
  },
  {
    id: 'verification',
    header: 'Verification',
    width: 160,
    isHidden: true,
    cell: ({ verification }) => VERIFICATION_LABELS[verification],
  },
  {
    id: 'publishedAt',
    header: 'Published',
    width: 130,
    isHidden: true,
    cell: ({ publishedAt }) => publishedAt && <TimeAgo iso={publishedAt} />,
  },
  {
    id: 'updatedAt',
    header: 'Changed',
    width: 110,
    sort: 'updatedAt',
    firstOrder: 'desc',
    cell: ({ updatedAt }) => <TimeAgo iso={updatedAt} />,
  },
]

/** Opens the finding; what is in the trash is only previewed. */
const Title = ({ finding: { id, engagementId, number, title, trashedAt } }: { finding: FindingRow }) => {
  const { slug } = useOrganization()
  return (
    <span>
      <span className={classes.number}>{number}</span>{' '}
      {trashedAt === null ? (
        <TextLink to={paths.finding(slug, engagementId, id)} className={classes.name as string}>
          {title}
        </TextLink>
      ) : (
        title
      )}
    </span>
  )
}
