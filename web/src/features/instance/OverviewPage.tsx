import { Text } from '@mantine/core'
import type { Output } from '@sortie/client/calls.ts'
import { useQuery } from '@tanstack/react-query'
import { query } from '../../api/api.ts'
import { QueryView } from '../../shell/reads/QueryView.tsx'
import { StatusLabel, type Tone } from '../../ui/feedback/StatusLabel.tsx'
import { type Column, DataTable } from '../../ui/lists/DataTable.tsx'
import { Properties } from '../../ui/lists/Properties.tsx'
import { Page, Section } from '../../ui/page/Page.tsx'
import { TimeAgo } from '../../ui/values/TimeAgo.tsx'

type Instance = Output<'getInstance'>['data']
type Component = Instance['components'][number]

const POLL_MS = 15_000
const TONES: Record<Component['status'], Tone> = { ok: 'good', degraded: 'warn', unavailable: 'bad', off: 'quiet' }
const WORDS: Record<Component['status'], string> = {
  ok: 'Working',
  degraded: 'Degraded',
  unavailable: 'Not responding',
  off: 'Not used',
}
const NAMES: Record<Component['name'], string> = {
  database: 'Database',
  storage: 'Files',
  mail: 'Mail',
  jobs: 'Jobs',
  redis: 'Redis',
  backup: 'Backup',
}

const COLUMNS: Column<Component>[] = [
  { header: 'Part', nowrap: true, cell: ({ name }) => NAMES[name] },
  { header: 'State', cell: ({ status }) => <StatusLabel tone={TONES[status]}>{WORDS[status]}</StatusLabel> },
  { header: 'Details', cell: ({ message }) => message },
]

export const OverviewPage = () => {
  const instance = useQuery({ ...query(null, 'getInstance'), refetchInterval: POLL_MS })
  return (
    <Page
      title="Instance"
      description="This installation as a whole. Only members can see what is inside an organization."
    >
      <QueryView query={instance}>{({ data }) => <State instance={data} />}</QueryView>
    </Page>
  )
}

const State = ({ instance }: { instance: Instance }) => (
  <>
    <Section title="Health">
      <DataTable label="Health" columns={COLUMNS} rows={instance.components} rowKey={({ name }) => name} />
    </Section>
    <Section title="Versions">
      <Properties
        items={[
          ['Sortie', instance.version],
          ['Database schema', instance.schemaVersion],
          ['Postgres', `${instance.postgresVersion}${instance.embeddedDatabase ? ' (embedded)' : ''}`],
          ['Node', instance.nodeVersion],
        ]}
      />
    </Section>
    <Section title="Use">
      <Properties
        items={[
          ['Organizations', instance.organizationCount],
          ['Accounts', instance.accountCount],
          ['Started', <TimeAgo key="started" iso={instance.startedAt} />],
          ['Public address', instance.frontendUrl],
        ]}
      />
    </Section>
    <Text component="footer" size="sm" c="dimmed">
      Sortie {instance.version}
      {instance.commit === null ? '' : ` (commit ${instance.commit})`}, schema {instance.schemaVersion}
    </Text>
  </>
)
