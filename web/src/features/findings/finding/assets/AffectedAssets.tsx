import { Button } from '@mantine/core'
import type { Input } from '@sortie/client/calls.ts'
import { Suspense, useState } from 'react'
import { messageOf, useApiMutation } from '../../../../api/api.ts'
import { rows } from '../../../../api/rows.ts'
import {
  REMEDIATION_LABELS,
  RemediationLabel,
  type RemediationStatus,
  staleFindingReads,
} from '../../../../domain/finding-words.tsx'
import { useOrganization } from '../../../../shell/context/organization.tsx'
import { GridView } from '../../../../shell/reads/GridView.tsx'
import { ChoiceItem, DropdownMenu } from '../../../../ui/dialogs/DropdownMenu.tsx'
import { KeyButton } from '../../../../ui/dialogs/KeyButton.tsx'
import { EmptyState } from '../../../../ui/feedback/EmptyState.tsx'
import { ListSkeleton } from '../../../../ui/feedback/ListSkeleton.tsx'
import { RowMenu } from '../../../../ui/grid/cells/RowMenu.tsx'
import type { GridColumn } from '../../../../ui/grid/columns/columns.ts'
import { useRows } from '../../../../ui/grid/rows/use-rows.ts'
import { IconFlag, IconPlus } from '../../../../ui/icons.tsx'
import { lazyPart } from '../../../../ui/load-part.ts'
import { toastError } from '../../../../ui/toasts/toast.ts'
import { TimeAgo } from '../../../../ui/values/TimeAgo.tsx'
import { finding as route } from '../../findings.routes.ts'
import { type AffectedAsset, CLIENT_STATE_LABELS, type Finding } from '../../labels.ts'
import { useRevertFindings } from '../../use-finding-change.ts'
import { reportReturn } from '../../use-set-finding.ts'

const AddAssetsDialog = lazyPart(() => import('./AddAssetsDialog.tsx'), 'AddAssetsDialog')
const AssetPeek = lazyPart(() => import('./AssetPeek.tsx'), 'AssetPeek')

const COLUMNS: GridColumn<AffectedAsset>[] = [
  { id: 'asset', header: 'Asset', width: 360, line: 1, cell: ({ asset }) => <span className="mono">{asset}</span> },
  { id: 'status', header: 'Status', width: 150, line: 2, cell: ({ status }) => <RemediationLabel status={status} /> },
  {
    id: 'suggested',
    header: 'Suggested',
    width: 110,
    cell: ({ suggestedStatus }) => suggestedStatus && <RemediationLabel status={suggestedStatus} />,
  },
  { id: 'note', header: 'Note', width: 240, line: 2, cell: ({ note }) => note },
  {
    id: 'client',
    header: 'Client',
    width: 140,
    cell: ({ clientStatus }) => clientStatus && CLIENT_STATE_LABELS[clientStatus.state],
  },
  { id: 'results', header: 'Results', width: 80, align: 'end', cell: ({ resultIds }) => resultIds.length || '' },
  {
    id: 'createdAt',
    header: 'Added',
    width: 130,
    sort: 'createdAt',
    cell: ({ createdAt }) => <TimeAgo iso={createdAt} />,
  },
]

const STATUS_KEYS: Record<RemediationStatus, string> = {
  open: 'O',
  partly_fixed: 'P',
  fixed: 'D',
  not_reproducible: 'N',
  withdrawn: 'W',
}
const SHORTCUT = { id: 'asset-status', label: 'Set status', group: 'Assets', icon: IconFlag, key: 's' }

type Bulk = Input<'bulkUpdateAffected'>['body']
type Selection = Omit<Bulk, 'set' | 'withUndo'>

/** All affected assets of a finding, with a status each. */
export const AffectedAssets = ({ finding, mayChange }: { finding: Finding; mayChange: boolean }) => {
  const organization = useOrganization()
  const { peek } = route.useSearch()
  const navigate = route.useNavigate()
  const [order, setOrder] = useState<'asc' | 'desc'>('asc')
  const [isAdding, setAdding] = useState(false)
  const [activeId, setActiveId] = useState<string>()
  const params = { findingId: finding.id }
  const list = useRows(rows(organization.id, 'listAffected', { params, query: { order } }))
  const setPeek = (id: string | undefined) =>
    void navigate({
      search: { view: 'assets' as const, ...(id !== undefined && { peek: id }) },
      replace: peek !== undefined,
    })
  const setStatus = useSetStatus()
  const target = list.rows.find(({ id }) => id === (peek ?? activeId))
  const addButton = mayChange && (
    <Button leftSection={<IconPlus size={14} aria-hidden />} onClick={() => setAdding(true)}>
      Add assets
    </Button>
  )
  return (
    <>
      {mayChange && (
        <RowMenu shortcut={SHORTCUT}>
          <StatusChoices
            set={(status) =>
              target
                ? setStatus({ ids: [target.id] }, status)
                : toastError('No asset is selected. Move to one with J and K.')
            }
          />
        </RowMenu>
      )}
      <GridView
        name="affected-assets"
        label="Affected assets"
        nouns={['asset', 'assets']}
        columns={COLUMNS}
        list={list}
        rowKey={({ id }) => id}
        sort={{ by: 'createdAt', order }}
        onSort={(sort) => setOrder(sort.order)}
        onActive={setActiveId}
        peek={{
          id: peek,
          onChange: setPeek,
          render: (id, row) =>
            row && (
              <Suspense fallback={<ListSkeleton rows={5} height={24} />}>
                <AssetPeek key={id} asset={row} mayChange={mayChange} onGone={() => setPeek(undefined)} />
              </Suspense>
            ),
        }}
        {...(mayChange && {
          bulk: (selection, clear) => {
            const selected: Selection =
              selection.kind === 'ids'
                ? { ids: [...selection.ids] }
                : { filter: { engagementId: finding.engagementId, findingId: finding.id } }
            const ids = selection.kind === 'ids' ? [...selection.ids] : list.rows.map(({ id }) => id)
            return (
              <>
                <DropdownMenu position="top-start" shortcut={SHORTCUT} target={<KeyButton label="Status" hint="S" />}>
                  <StatusChoices set={(status) => setStatus(selected, status)} />
                </DropdownMenu>
                {ids.length === 1 && <RemoveButton affectedId={ids[0] ?? ''} onDone={clear} />}
              </>
            )
          },
        })}
        filters={addButton}
        isFiltered={false}
        empty={
          <EmptyState title="No affected assets yet" action={addButton}>
            Each asset has its own status; the status of the finding follows from them.
          </EmptyState>
        }
      />
      <Suspense>{isAdding && <AddAssetsDialog finding={finding} onClose={() => setAdding(false)} />}</Suspense>
    </>
  )
}

const StatusChoices = ({ set }: { set: (status: RemediationStatus) => void }) =>
  (Object.keys(REMEDIATION_LABELS) as RemediationStatus[]).map((status) => (
    <ChoiceItem key={status} hint={STATUS_KEYS[status]} onClick={() => set(status)}>
      <RemediationLabel status={status} />
    </ChoiceItem>
  ))

const useSetStatus = () => {
  const organization = useOrganization()
  const offerRevert = useRevertFindings()
  const update = useApiMutation(organization.id, 'bulkUpdateAffected', {
    invalidates: staleFindingReads(organization.id),
    onSuccess: ({ data: { updated, undo = [] } }) => {
      if (updated > 1) offerRevert(`${updated.toLocaleString('en')} assets changed.`, undo)
    },
    onError: (error) => toastError(messageOf(error)),
  })
  return (selection: Selection, status: RemediationStatus) =>
    update.mutate({ body: { ...selection, set: { status }, withUndo: true } })
}

const RemoveButton = ({ affectedId, onDone }: { affectedId: string; onDone: () => void }) => {
  const organization = useOrganization()
  const remove = useApiMutation(organization.id, 'deleteAffected', {
    invalidates: staleFindingReads(organization.id),
    onSuccess: ({ meta }) => {
      reportReturn(meta)
      onDone()
    },
    onError: (error) => toastError(messageOf(error)),
  })
  return (
    <Button
      size="compact-sm"
      variant="default"
      loading={remove.isPending}
      onClick={() => remove.mutate({ params: { affectedId } })}
    >
      Remove
    </Button>
  )
}
