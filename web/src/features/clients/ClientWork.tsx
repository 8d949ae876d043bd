import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { query } from '../../api/api.ts'
import { rows } from '../../api/rows.ts'
import { describeDates } from '../../domain/engagement-days.ts'
import { EngagementStatusLabel } from '../../domain/engagement-status.tsx'
import { RemediationLabel } from '../../domain/finding-words.tsx'
import { SeverityLabel } from '../../domain/SeverityLabel.tsx'
import { SEVERITY_LABELS } from '../../domain/vulnerability-words.ts'
import { paths } from '../../paths.ts'
import { useOrganization } from '../../shell/context/organization.tsx'
import { rowsOf, ShowMore, useParts } from '../../shell/reads/parts.tsx'
import { QueryView } from '../../shell/reads/QueryView.tsx'
import { TextLink } from '../../shell/routing/links.tsx'
import { DataTable } from '../../ui/lists/DataTable.tsx'
import classes from './clients.module.css'

const PER_PAGE = 20

/** Engagements of a client, newest first. */
export const ClientEngagements = ({ clientId }: { clientId: string }) => {
  const { id, slug } = useOrganization()
  const list = useParts(
    rows(id, 'listEngagementSummaries', { query: { clientId: [clientId], sort: 'createdAt', order: 'desc' } }),
    { perPage: PER_PAGE },
  )
  return (
    <QueryView query={list}>
      {(read) => {
        const found = rowsOf(read)
        if (found.length === 0) return <Nothing>No engagements yet.</Nothing>
        return (
          <>
            <DataTable
              label="Engagements"
              rows={found}
              rowKey={(row) => row.id}
              columns={[
                {
                  header: 'Name',
                  cell: (row) => (
                    <TextLink to={paths.engagement(slug, row.id)} className={classes.name as string}>
                      {row.name}
                    </TextLink>
                  ),
                },
                { header: 'Status', cell: (row) => <EngagementStatusLabel status={row.status} /> },
                { header: 'Dates', kind: 'secondary', nowrap: true, cell: describeDates },
              ]}
            />
            <ShowMore list={list} />
          </>
        )
      }}
    </QueryView>
  )
}

/** What the client has not fixed yet, worst first. */
export const OpenFindings = ({ clientId }: { clientId: string }) => {
  const { id, slug } = useOrganization()
  const list = useParts(
    rows(id, 'listFindings', {
      query: { clientId: [clientId], status: ['open', 'partly_fixed'], sort: 'severity', order: 'desc' },
    }),
    {
      perPage: PER_PAGE,
    },
  )
  return (
    <QueryView query={list}>
      {(read) => {
        const found = rowsOf(read)
        if (found.length === 0) return <Nothing>No open findings.</Nothing>
        return (
          <>
            <DataTable
              label="Open findings"
              rows={found}
              rowKey={(row) => row.id}
              columns={[
                { header: 'Severity', cell: (row) => <SeverityLabel severity={row.severity} /> },
                {
                  header: 'Finding',
                  cell: (row) => (
                    <TextLink to={paths.finding(slug, row.engagementId, row.id)} className={classes.name as string}>
                      {row.title}
                    </TextLink>
                  ),
                },
                { header: 'Status', kind: 'secondary', cell: (row) => <RemediationLabel status={row.status} /> },
              ]}
            />
            <ShowMore list={list} />
          </>
        )
      }}
    </QueryView>
  )
}

const SEVERITIES = ['critical', 'high', 'medium', 'low', 'info'] as const

/** How many findings the client had each year, by severity, and how many of them are still open. */
export const FindingsByYear = ({ clientId }: { clientId: string }) => {
  const { id } = useOrganization()
  const read = useQuery(query(id, 'listClientFindingsByYear', { params: { clientId } }))
  return (
    <QueryView query={read}>
      {({ data }) =>
        data.length === 0 ? (
          <Nothing>No findings yet.</Nothing>
        ) : (
          <DataTable
            label="Findings by year"
            rows={data}
            rowKey={({ year }) => String(year)}
            columns={[
              { header: 'Year', cell: ({ year }) => year },
              ...SEVERITIES.map((severity) => ({
                header: SEVERITY_LABELS[severity],
                kind: 'secondary' as const,
                align: 'end' as const,
                cell: (row: (typeof data)[number]) => row[severity].toLocaleString('en'),
              })),
              {
                header: 'Total',
                kind: 'secondary',
                align: 'end',
                cell: (row) => SEVERITIES.reduce((sum, severity) => sum + row[severity], 0).toLocaleString('en'),
              },
              { header: 'Still open', kind: 'secondary', align: 'end', cell: ({ open }) => open.toLocaleString('en') },
            ]}
          />
        )
      }
    </QueryView>
  )
}

const Nothing = ({ children }: { children: string }) => (
  <Text size="sm" c="dimmed">
    {children}
  </Text>
)
