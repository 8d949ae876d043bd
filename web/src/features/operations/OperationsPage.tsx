import { Button } from '@mantine/core'
import type { Input } from '@sortie/client/calls.ts'
import { IconPencil } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import { call, linkTo } from '../../api.ts'
import { said } from '../../search.ts'
import { useEngagement } from '../../shell/engagement.tsx'
import { GridView } from '../../shell/GridView.tsx'
import { useOrganization } from '../../shell/organization.tsx'
import { useCommands } from '../../ui/commands.ts'
import { useRows } from '../../ui/grid/use-rows.ts'
import { Page } from '../../ui/Page.tsx'
import { NothingLogged } from './Coverage.tsx'
import { COLUMNS } from './columns.tsx'
import { OperationPeek } from './OperationPeek.tsx'
import { Question } from './Question.tsx'
import { WriteDialog } from './WriteDialog.tsx'

const route = getRouteApi('/signed-in/o/$slug/engagement-readers/engagements/$engagementId/operations')

/** Whatever went to the network: from where, to where, when, by whom. */
export const OperationsPage = () => {
  const organization = useOrganization()
  const { engagement, isArchived } = useEngagement()
  const { address, at, kind, scanId, order = 'desc', peek, write = false } = route.useSearch()
  const navigate = route.useNavigate()
  const filters: NonNullable<Input<'exportOperations'>['query']> = {
    engagementId: engagement.id,
    ...(address !== undefined && { address }),
    ...(at !== undefined && { at }),
    ...(kind !== undefined && { kind: [kind] }),
    ...(scanId !== undefined && { scanId: [scanId] }),
  }
  const list = useRows({
    queryKey: [organization.id, 'listOperations', filters, order],
    read: (window, signal) => call(organization.id, 'listOperations', { query: { ...filters, ...window, order } }, { signal }),
  })
  const setPeek = (id: string | undefined) =>
    void navigate({ search: ({ peek: _, ...rest }) => (id === undefined ? rest : { ...rest, peek: id }), replace: true })
  const setWriting = (wanted: boolean) =>
    void navigate({ search: ({ write: _, ...rest }) => (wanted ? { ...rest, write: true as const } : rest), replace: true })
  useCommands(isArchived ? [] : [{ id: 'create', label: 'Write down an operation', group: 'This page', shortcut: 'c', run: () => setWriting(true) }])
  const writeButton = !isArchived && (
    <Button leftSection={<IconPencil size={14} aria-hidden />} onClick={() => setWriting(true)}>
      Write down
    </Button>
  )
  return (
    <Page
      title="Operation log"
      documentTitle={`Operation log · ${engagement.name}`}
      description="Whatever went to the client's systems: from where, to where, when, by whom."
      layout="full"
      actions={writeButton}
    >
      <Question asked={{ address, at, kind }} onAsk={(asked) => void navigate({ search: ({ order: direction }) => said({ ...asked, order: direction }) })} />
      <GridView
        name="operations"
        label="Operations"
        nouns={['operation', 'operations']}
        columns={COLUMNS}
        list={list}
        rowKey={({ id }) => id}
        sort={{ by: 'startedAt', order }}
        onSort={(sort) => void navigate({ search: (rest) => ({ ...rest, order: sort.order }), replace: true })}
        peek={{ id: peek, onChange: setPeek, render: (_, row) => row && <OperationPeek operation={row} /> }}
        csvHref={linkTo(organization.id, 'exportOperations', { query: filters })}
        empty={<NothingLogged isAsked={address !== undefined || at !== undefined || kind !== undefined || scanId !== undefined} action={writeButton} />}
      />
      {!isArchived && write && <WriteDialog onClose={() => setWriting(false)} />}
    </Page>
  )
}
