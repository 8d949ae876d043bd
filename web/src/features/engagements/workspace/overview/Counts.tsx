import { Skeleton, Text } from '@mantine/core'
import type { Output } from '@sortie/client/calls.ts'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { messageOf, query } from '../../../../api/api.ts'
import { VERDICT_LABELS } from '../../../../domain/verdicts.tsx'
import { paths } from '../../../../paths.ts'
import { useEngagement } from '../../../../shell/context/engagement.tsx'
import { useOrganization } from '../../../../shell/context/organization.tsx'
import { TextLink } from '../../../../shell/routing/links.tsx'
import { Properties } from '../../../../ui/lists/Properties.tsx'

/** Counts per object type, most important first. Omits types that the user may not read. */
export const Counts = () => {
  const organization = useOrganization()
  const { engagement } = useEngagement()
  const overview = useQuery(
    query(organization.id, 'getEngagementOverview', { params: { engagementId: engagement.id } }),
  )
  const { data: summary } = useQuery(
    query(organization.id, 'getResultSummary', { query: { engagementId: engagement.id } }),
  )
  if (!overview.data) {
    if (!overview.error) return <Skeleton height={120} aria-label="Loading" role="status" />
    return (
      <Text size="sm" c="dimmed" role="alert">
        {messageOf(overview.error)}
      </Text>
    )
  }
  const { targets, vulnerabilities, tasks, runningScans } = overview.data.data
  const list = paths.targets(organization.slug, engagement.id)
  const items: (readonly [string, ReactNode])[] = []
  if (targets) {
    items.push([
      'Targets',
      <Parts
        key="targets"
        counts={targets.byVerdict}
        none={<TextLink to={list}>None yet</TextLink>}
        part={(verdict, count) => (
          <TextLink to={`${list}?verdict=${verdict}`}>
            {NUMBER.format(count)} {VERDICT_LABELS[verdict].toLowerCase()}
          </TextLink>
        )}
      />,
    ])
  }
  if (vulnerabilities && summary) {
    items.push([
      'Open findings',
      <Parts key="findings" counts={openOf(summary.data.vulnerabilities)} part={inWords} order={SEVERITY_ORDER} />,
    ])
  }
  if (tasks) items.push(['Tasks', <Parts key="tasks" counts={tasks.byStatus} part={inWords} />])
  if (runningScans !== null) {
    items.push([
      'Running scans',
      <TextLink key="scans" to={paths.scans(organization.slug, engagement.id)}>
        {NUMBER.format(runningScans)}
      </TextLink>,
    ])
  }
  return <Properties items={items} />
}

/** Worst first. */
const SEVERITY_ORDER = ['critical', 'high', 'medium', 'low', 'info', 'none'] as const

type Ratings = Output<'getResultSummary'>['data']['vulnerabilities']

/** Open and confirmed findings in scope, by severity. */
const openOf = (vulnerabilities: Ratings): Record<keyof Ratings, number> =>
  Object.fromEntries(
    Object.entries(vulnerabilities).map(([severity, { open, confirmed }]) => [severity, open + confirmed]),
  ) as Record<keyof Ratings, number>

const NUMBER = new Intl.NumberFormat('en')

/** `in_progress` → `3 in progress` */
const inWords = (name: string, count: number): ReactNode =>
  `${NUMBER.format(count)} ${name === 'none' ? 'unrated' : name.replaceAll('_', ' ')}`

interface PartsProps<N extends string> {
  counts: Readonly<Record<N, number>>
  part: (name: N, count: number) => ReactNode
  none?: ReactNode
  /** Of the names; otherwise that of the answer. */
  order?: readonly N[]
}

/** Nonzero counts, one per line. */
const Parts = <N extends string>({ counts, part, none = 'None', order }: PartsProps<N>) => {
  const some = (order ?? (Object.keys(counts) as N[]))
    .map((name) => [name, counts[name]] as const)
    .filter(([, count]) => count > 0)
  if (some.length === 0) return none
  return some.map(([name, count]) => <div key={name}>{part(name, count)}</div>)
}
