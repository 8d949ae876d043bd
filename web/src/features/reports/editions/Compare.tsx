import { Text } from '@mantine/core'
import type { Output } from '@sortie/client/calls.ts'
import { useQuery } from '@tanstack/react-query'
import { query } from '../../../api/api.ts'
import { SECTION_LABELS } from '../../../domain/finding-words.tsx'
import type { Report } from '../../../domain/reports/report-words.tsx'
import { SeverityLabel } from '../../../domain/SeverityLabel.tsx'
import { paths } from '../../../paths.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { QueryView } from '../../../shell/reads/QueryView.tsx'
import { PlainLink } from '../../../shell/routing/links.tsx'
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import { Choice } from '../../../ui/fields/Choice.tsx'
import { DiffLines } from '../../../ui/text-merge/DiffLines.tsx'
import { passagesOf } from '../../../ui/text-merge/line-passages.ts'
import { report as route } from '../reports.routes.ts'
import classes from './editions.module.css'

type Comparison = Output<'compareReport'>['data']
type Found = Comparison['findings']['new'][number]

/** Two editions, or an edition and the draft: findings that are new, changed or closed, and texts that differ. */
export const Compare = ({ report }: { report: Report }) => {
  const { id } = useOrganization()
  const navigate = route.useNavigate()
  const { from, to = 'draft' } = route.useSearch()
  const editions = useQuery(query(id, 'listReportEditions', { params: { reportId: report.id } }))
  return (
    <QueryView query={editions}>
      {({ data }) => {
        const first = data.find((edition) => edition.id === from) ?? data[0]
        if (!first)
          return (
            <EmptyState title="Nothing to compare">
              Deliver the report first: a comparison begins at an edition.
            </EmptyState>
          )
        const show = (change: { from?: string; to?: string }) =>
          void navigate({ search: { view: 'compare', from: first.id, to, ...change }, replace: true })
        return (
          <div className={classes.compare}>
            <div className={classes.pair}>
              <Choice
                label="From"
                data={data.map((edition) => ({ value: edition.id, label: `Edition ${edition.number}` }))}
                value={first.id}
                onChange={(next) => show({ from: next })}
              />
              <Choice
                label="To"
                data={[
                  { value: 'draft', label: 'The draft' },
                  ...data
                    .filter((edition) => edition.id !== first.id)
                    .map((edition) => ({ value: edition.id, label: `Edition ${edition.number}` })),
                ]}
                value={to}
                onChange={(next) => show({ to: next })}
              />
            </div>
            <Differences report={report} from={first.id} to={to === first.id ? 'draft' : to} />
          </div>
        )
      }}
    </QueryView>
  )
}

const Differences = ({ report, from, to }: { report: Report; from: string; to: string }) => {
  const { id } = useOrganization()
  const read = useQuery(query(id, 'compareReport', { params: { reportId: report.id }, query: { from, to } }))
  return (
    <QueryView query={read}>
      {({ data: { findings, sections } }) => (
        <>
          {sections.length + findings.new.length + findings.changed.length + findings.closed.length === 0 && (
            <EmptyState title="No differences">Findings and texts are the same.</EmptyState>
          )}
          <Findings title="New findings" findings={findings.new} />
          <Findings title="Changed findings" findings={findings.changed} />
          <Findings title="Closed findings" findings={findings.closed} />
          {sections.map(({ key, title, change, before, after }) => (
            <section key={key} className={classes.difference} aria-label={title}>
              <h2>
                {title || key} <span>{change}</span>
              </h2>
              <DiffLines passages={passagesOf(before, after)} />
            </section>
          ))}
        </>
      )}
    </QueryView>
  )
}

const Findings = ({ title, findings }: { title: string; findings: readonly (Found & { fields?: string[] })[] }) => {
  const { slug } = useOrganization()
  if (findings.length === 0) return null
  return (
    <section className={classes.difference} aria-label={title}>
      <h2>
        {title} <span>{findings.length.toLocaleString('en')}</span>
      </h2>
      <ul className={classes.findings}>
        {findings.map(({ id, key, title: name, severity, fields }) => (
          <li key={id}>
            <SeverityLabel severity={severity} />
            <span className={classes.finding}>
              <PlainLink to={paths.findingById(slug, id)}>{`${key} ${name}`}</PlainLink>
              {fields && fields.length > 0 && (
                <Text size="sm" c="dimmed" span>
                  {fields.map(nameOfField).join(', ')}
                </Text>
              )}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** `cvssVector` → `cvss vector` */
const nameOfField = (field: string): string =>
  field in SECTION_LABELS
    ? SECTION_LABELS[field as keyof typeof SECTION_LABELS].toLowerCase()
    : field.replace(/([A-Z])/g, ' $1').toLowerCase()
