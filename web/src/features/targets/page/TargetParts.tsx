import { Skeleton, Text } from '@mantine/core'
import type { Output } from '@sortie/client/calls.ts'
import { useQuery } from '@tanstack/react-query'
import { messageOf, query } from '../../../api/api.ts'
import { describeEntry } from '../../../domain/activity.ts'
import { RemediationLabel } from '../../../domain/finding-words.tsx'
import { OPERATION_KIND_LABELS, momentOf, reachedBy } from '../../../domain/operations.ts'
import { SeverityLabel } from '../../../domain/SeverityLabel.tsx'
import { STATUS_LABELS } from '../../../domain/vulnerability-words.ts'
import { paths } from '../../../paths.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { Part, PartHeading } from '../../../shell/reads/Part.tsx'
import parts from '../../../shell/reads/parts.module.css'
import { capitalised } from '../../../ui/text/capitalised.ts'
import { TimeAgo } from '../../../ui/values/TimeAgo.tsx'
import type { Target } from '../labels.ts'

type Overview = Output<'getTargetOverview'>['data']
type Result = Overview['services']['items'][number]

interface TargetPartsProps {
  target: Target
  /** Entries of each part. */
  perPart: number
}

/**
 * Everything known about a target: each part with its first entries, its count, and a link to all of them. Empty parts
 * are left out.
 */
export const TargetParts = ({ target, perPart }: TargetPartsProps) => {
  const organization = useOrganization()
  const overview = useQuery(
    query(organization.id, 'getTargetOverview', { params: { targetId: target.id }, query: { perPart } }),
  )
  if (!overview.data) {
    if (!overview.error) return <Skeleton height={160} aria-label="Loading" role="status" />
    return (
      <Text size="sm" c="dimmed" role="alert">
        {messageOf(overview.error)}
      </Text>
    )
  }
  return <Parts overview={overview.data.data} />
}

const Parts = ({ overview }: { overview: Overview }) => {
  const { slug } = useOrganization()
  const {
    target,
    vulnerabilities,
    services,
    certificates,
    technologies,
    findings,
    others,
    tasks,
    requests,
    operations,
    children,
    history,
  } = overview
  const { engagementId, id } = target
  const results = (filter: string) => `${paths.results(slug, engagementId)}?targetId=${id}&${filter}`
  const peekOf = (result: Result) => `${paths.results(slug, engagementId)}?peek=${result.id}`
  return (
    <div className={parts.parts}>
      <Part
        title="Vulnerabilities"
        all={results('kind=vulnerability&status=open,confirmed&sort=severity&order=desc')}
        of={vulnerabilities}
        to={peekOf}
      >
        {(result) => [
          result.title,
          <SeverityLabel key="severity" severity={result.severity} />,
          result.status && STATUS_LABELS[result.status],
        ]}
      </Part>
      {findings && (
        <Part
          title="Findings"
          all={`${paths.findings(slug, engagementId)}?targetId=${id}`}
          of={findings}
          to={(finding) => paths.finding(slug, engagementId, finding.id)}
        >
          {({ title, severity, status }) => [
            title,
            <SeverityLabel key="severity" severity={severity} />,
            <RemediationLabel key="status" status={status} />,
          ]}
        </Part>
      )}
      <Part title="Ports and services" all={results('kind=service&state=present')} of={services} to={peekOf}>
        {({ title, data }) => [title, [data['product'], data['version']].filter(Boolean).join(' ')]}
      </Part>
      <Part title="Certificates" all={results('kind=tls_certificate&state=present')} of={certificates} to={peekOf}>
        {({ title, asset }) => [title, asset]}
      </Part>
      <Part title="Technologies" all={results('kind=technology&state=present')} of={technologies} to={peekOf}>
        {({ title, asset }) => [title, asset]}
      </Part>
      <Part
        title="Other results"
        all={results('kind=host,dns_record,http_response,web_path,component&state=present')}
        of={others}
        to={peekOf}
      >
        {({ title, kind }) => [title, capitalised(kind.replaceAll('_', ' '))]}
      </Part>
      {tasks && (
        <Part
          title="Tasks"
          all={`${paths.engagementTasks(slug, engagementId)}?view=list&targetId=${id}`}
          of={tasks}
          to={(task) => paths.engagementTask(slug, engagementId, task.id)}
        >
          {({ title, status, assignee }) => [title, capitalised(status.replaceAll('_', ' ')), assignee?.name]}
        </Part>
      )}
      {requests && (
        <Part title="Requests" of={requests} to={(request) => paths.openRequest(slug, request.id)}>
          {({ name, method }) => [name, method]}
        </Part>
      )}
      <Part
        title="Operation log"
        all={paths.operations(slug, engagementId)}
        of={operations}
        to={() => paths.operations(slug, engagementId)}
      >
        {(operation) => [reachedBy(operation), OPERATION_KIND_LABELS[operation.kind], momentOf(operation.startedAt)]}
      </Part>
      <Part
        title="Children"
        all={`${paths.targets(slug, engagementId)}?parentId=${id}`}
        of={children}
        to={(child) => paths.targetPage(slug, engagementId, child.id)}
      >
        {({ canonical }) => [canonical]}
      </Part>
      {history.length > 0 && (
        <section className={parts.part} aria-label="History">
          <PartHeading title="History" />
          <ul className={parts.rows}>
            {history.map((entry) => (
              <li key={entry.id}>
                <span className={parts.row}>
                  <span className={parts.title}>{describeEntry(entry)}</span>
                  <span className={parts.fact}>{entry.actor.name}</span>
                  <span className={parts.fact}>
                    <TimeAgo iso={entry.createdAt} />
                  </span>
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  )
}
