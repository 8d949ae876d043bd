import { Text, Title } from '@mantine/core'
import type { Output } from '@sortie/client/calls.ts'
import { useQuery } from '@tanstack/react-query'
import { query } from '../../../api/api.ts'
import { paths } from '../../../paths.ts'
import { useEngagement } from '../../../shell/context/engagement.tsx'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { QueryView } from '../../../shell/reads/QueryView.tsx'
import { TextLink } from '../../../shell/routing/links.tsx'
import { ListSkeleton } from '../../../ui/feedback/ListSkeleton.tsx'
import { TimeAgo } from '../../../ui/values/TimeAgo.tsx'
import classes from '../results.module.css'

type Observation = Output<'listObservations'>['data'][number]

const CHANGES: Record<Observation['change'], string> = {
  created: 'First seen',
  unchanged: 'Seen unchanged',
  changed: 'Seen with changes',
  gone: 'No longer found',
  reappeared: 'Reappeared',
  older: 'In an older file',
}

/** Observations of a result, newest first: source and changed fields. */
export const History = ({ resultId }: { resultId: string }) => {
  const organization = useOrganization()
  const read = useQuery(query(organization.id, 'listObservations', { params: { resultId } }))
  return (
    <section aria-label="History">
      <Title order={3} size="h5" mb={6}>
        History
      </Title>
      <QueryView query={read} skeleton={<ListSkeleton rows={2} height={24} />}>
        {({ data }) => (
          <ul className={classes.list}>
            {data.map((observation) => (
              <li key={`${observation.source.id} ${observation.seenAt} ${observation.change}`}>
                {observation.source.kind === 'person' && observation.change === 'created'
                  ? 'Added'
                  : CHANGES[observation.change]}{' '}
                <TimeAgo iso={observation.seenAt} />
                <Source source={observation.source} />
                <Differences before={observation.before} after={observation.after} />
              </li>
            ))}
          </ul>
        )}
      </QueryView>
    </section>
  )
}

const Source = ({ source }: Pick<Observation, 'source'>) => {
  const organization = useOrganization()
  const { engagement } = useEngagement()
  if (source.kind === 'person') return ' by hand'
  return (
    <>
      {' '}
      by{' '}
      {source.kind === 'scan' ? (
        <TextLink to={paths.openScan(organization.slug, engagement.id, source.id)}>a scan</TextLink>
      ) : (
        <TextLink to={`${paths.imports(organization.slug, engagement.id)}?peek=${source.id}`}>an import</TextLink>
      )}
    </>
  )
}

/** `version: 1.24 → 1.25`; empty for the first observation, whose data is shown above. */
const Differences = ({ before, after }: Pick<Observation, 'before' | 'after'>) => {
  if (before === null) return null
  const flat = { before: flattened(before), after: flattened(after ?? {}) }
  const names = [...new Set([...Object.keys(flat.before), ...Object.keys(flat.after)])].filter(
    (name) => flat.before[name] !== flat.after[name],
  )
  return names.map((name) => (
    <Text key={name} size="xs" c="dimmed" component="div">
      {name}: {flat.before[name] ?? 'nothing'} → {flat.after[name] ?? 'nothing'}
    </Text>
  ))
}

const flattened = (snapshot: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(snapshot).flatMap(([name, value]) =>
      name === 'data' && value !== null && typeof value === 'object'
        ? Object.entries(value).map(([field, inner]) => [field, written(inner)] as const)
        : [[name, written(value)] as const],
    ),
  )

const written = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
