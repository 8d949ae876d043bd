import { Stack, Text, Title } from '@mantine/core'
import type { Output } from '@sortie/client/calls.ts'
import { useQuery } from '@tanstack/react-query'
import { query } from '../../../api/api.ts'
import { QueryView } from '../../../shell/reads/QueryView.tsx'
import { Dialog } from '../../../ui/dialogs/Dialog.tsx'
import { usePlace } from '../place.tsx'
import classes from './runs.module.css'

type Diff = Output<'diffRequestRuns'>['data']

/** Compares the responses of two runs, older and newer. */
export const DiffDialog = ({ a, b, onClose }: { a: string; b: string; onClose: () => void }) => {
  const { organizationId } = usePlace()
  const diff = useQuery(query(organizationId, 'diffRequestRuns', { query: { a, b } }))
  return (
    <Dialog opened onClose={onClose} title="Compare responses" size="lg">
      <QueryView query={diff}>{({ data }) => <Shown diff={data} />}</QueryView>
    </Dialog>
  )
}

const MODE_LABELS = { json: 'Body, compared as JSON', text: 'Body, by lines', bytes: 'Body, as bytes' } as const

const Shown = ({ diff: { status, headers, body } }: { diff: Diff }) => (
  <Stack gap="md">
    <Part title="Status" isEqual={status.equal} same={String(status.a ?? 'no response')}>
      <Change a={String(status.a ?? 'no response')} b={String(status.b ?? 'no response')} />
    </Part>
    <Part title="Headers" isEqual={headers.equal} same="No differences.">
      {headers.changes.map(({ name, a, b }) => (
        <Change key={name} path={name} a={a.length > 0 ? a.join('\n') : null} b={b.length > 0 ? b.join('\n') : null} />
      ))}
    </Part>
    <Part title={MODE_LABELS[body.mode]} isEqual={body.equal} same="No differences.">
      {body.tooLarge && <Text size="sm">Too large to compare in full.</Text>}
      {body.changes.length === 0 && !body.tooLarge && <Text size="sm">They differ.</Text>}
      {body.changes.map(({ path, a, b }) => (
        <Change key={path} path={body.mode === 'text' ? `Line ${path}` : path || 'whole body'} a={a} b={b} />
      ))}
    </Part>
  </Stack>
)

const Part = ({
  title,
  isEqual,
  same,
  children,
}: {
  title: string
  isEqual: boolean
  same: string
  children: React.ReactNode
}) => (
  <section>
    <Title order={3}>{title}</Title>
    {isEqual ? (
      <Text size="sm" c="dimmed">
        {same}
      </Text>
    ) : (
      <ul className={classes.changes}>{children}</ul>
    )}
  </section>
)

/** Null: present on the other side only. */
const Change = ({ path, a, b }: { path?: string; a: string | null; b: string | null }) => (
  <li>
    {path !== undefined && <code>{path}</code>}
    {a !== null && (
      <del className={classes.removed}>
        <span aria-hidden>− </span>
        {a}
      </del>
    )}
    {b !== null && (
      <ins className={classes.added}>
        <span aria-hidden>+ </span>
        {b}
      </ins>
    )}
  </li>
)
