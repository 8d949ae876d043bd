import { Button, Code, Stack, Text } from '@mantine/core'
import type { Output } from '@sortie/client/calls.ts'
import { useState } from 'react'
import { messageOf, useApiMutation } from '../../../api/api.ts'
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import { StatusLabel, type Tone } from '../../../ui/feedback/StatusLabel.tsx'
import { type Column, DataTable } from '../../../ui/lists/DataTable.tsx'
import { Page } from '../../../ui/page/Page.tsx'

type Check = Output<'runDoctor'>['data']['checks'][number]

const TONES: Record<Check['status'], Tone> = { ok: 'good', warning: 'warn', problem: 'bad' }
const WORDS: Record<Check['status'], string> = { ok: 'OK', warning: 'Warning', problem: 'Problem' }
/** Problems first. */
const ORDER: readonly Check['status'][] = ['problem', 'warning', 'ok']

const COLUMNS: Column<Check>[] = [
  { header: 'Check', nowrap: true, cell: ({ name }) => name },
  { header: 'State', cell: ({ status }) => <StatusLabel tone={TONES[status]}>{WORDS[status]}</StatusLabel> },
  {
    header: 'Found',
    cell: ({ found, fix }) => (
      <Stack gap={4}>
        <Text size="sm">{found}</Text>
        {fix !== null && <Code block>{fix}</Code>}
      </Stack>
    ),
  },
]

export const ChecksPage = () => {
  const [checks, setChecks] = useState<Check[]>()
  const run = useApiMutation(null, 'runDoctor', { onSuccess: ({ data }) => setChecks(data.checks) })
  return (
    <Page
      title="Checks"
      description="The set-up of this installation: proxy, certificate, database, storage, mail and settings. The checks change nothing and send no mail."
    >
      <div>
        <Button loading={run.isPending} onClick={() => run.mutate({})}>
          Run checks
        </Button>
      </div>
      {run.error && (
        <Text size="sm" c="red" role="alert">
          {messageOf(run.error)}
        </Text>
      )}
      {checks ? (
        <DataTable
          label="Checks"
          columns={COLUMNS}
          rows={checks.toSorted((a, b) => ORDER.indexOf(a.status) - ORDER.indexOf(b.status))}
          rowKey={({ name }) => name}
        />
      ) : (
        <EmptyState title="No checks have run yet" />
      )}
    </Page>
  )
}
