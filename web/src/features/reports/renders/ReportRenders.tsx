import { ActionIcon, Text } from '@mantine/core'
import { RENDER_DAYS } from '@sortie/contract/reports/report-renders.ts'
import { useEffect, useRef, useState } from 'react'
import { linkTo, messageOf, useApiMutation } from '../../../api/api.ts'
import { rows } from '../../../api/rows.ts'
import { FORMAT_LABELS, type Report } from '../../../domain/reports/report-words.tsx'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { rowsOf, ShowMore, useParts } from '../../../shell/reads/parts.tsx'
import { QueryView } from '../../../shell/reads/QueryView.tsx'
import { RenderProblems } from '../../../shell/renders/RenderProblems.tsx'
import { useRenders } from '../../../shell/renders/renders.ts'
import { ConfirmDialog } from '../../../ui/dialogs/ConfirmDialog.tsx'
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import { ListSkeleton } from '../../../ui/feedback/ListSkeleton.tsx'
import { StatusLabel } from '../../../ui/feedback/StatusLabel.tsx'
import { IconDownload, IconFiles } from '../../../ui/icons.tsx'
import { DataTable } from '../../../ui/lists/DataTable.tsx'
import { IconTrash } from '../../../ui/page-icons.tsx'
import { toast } from '../../../ui/toasts/toast.ts'
import { formatBytes } from '../../../ui/values/format-bytes.ts'
import { TimeAgo } from '../../../ui/values/TimeAgo.tsx'
import { isUnderWay, type StoredRender } from './render-states.ts'
import classes from './renders.module.css'

/** Milliseconds between two reads while a render is under way. */
const POLL_MS = 2_000

interface ReportRendersProps {
  report: Report
  mayChange: boolean
}

/** The files that were rendered of a report, by everyone: to download, and to delete. */
export const ReportRenders = ({ report, mayChange }: ReportRendersProps) => {
  const { id } = useOrganization()
  const [isPolled, setPolled] = useState(false)
  const list = useParts(rows(id, 'listReportRenders', { params: { reportId: report.id } }), {
    refetchInterval: isPolled && POLL_MS,
  })
  const shown = list.data === undefined ? [] : rowsOf(list.data)
  const isAnyUnderWay = shown.some(isUnderWay)
  useEffect(() => setPolled(isAnyUnderWay), [isAnyUnderWay])
  useReadAfterOwn(report.id, list.refetch)
  const [deleting, setDeleting] = useState<StoredRender>()
  const remove = useApiMutation(id, 'deleteReportRender', {
    invalidates: [[id, 'listReportRenders']],
    onSuccess: () => {
      toast('Deleted the file.')
      setDeleting(undefined)
    },
  })
  return (
    <div className={classes.renders}>
      <QueryView query={list} skeleton={<ListSkeleton rows={4} />}>
        {(read) =>
          rowsOf(read).length === 0 ? (
            <EmptyState icon={<IconFiles size={32} stroke={1.4} />} title="No files yet">
              Render makes a file of the report as it is now, with a watermark. It is listed here for {RENDER_DAYS}{' '}
              days. What clients receive are editions, which stay.
            </EmptyState>
          ) : (
            <>
              <Text size="sm" c="dimmed">
                Each file shows the report as it was then, with a watermark, and is kept for {RENDER_DAYS} days.
              </Text>
              <DataTable
                label="Rendered files"
                rows={rowsOf(read)}
                rowKey={(render) => render.id}
                columns={[
                  { header: 'Format', cell: ({ format }) => FORMAT_LABELS[format], nowrap: true },
                  { header: 'State', cell: (render) => <State render={render} /> },
                  { header: 'Size', kind: 'secondary', cell: (render) => sizeOf(render), nowrap: true },
                  {
                    header: 'Rendered',
                    kind: 'secondary',
                    cell: ({ createdAt }) => <TimeAgo iso={createdAt} />,
                    nowrap: true,
                  },
                  { header: 'By', kind: 'secondary', cell: ({ createdBy }) => createdBy?.name ?? 'An API key' },
                  {
                    header: 'Actions',
                    kind: 'actions',
                    cell: (render) => (
                      <Actions render={render} onDelete={mayChange ? () => setDeleting(render) : undefined} />
                    ),
                  },
                ]}
              />
            </>
          )
        }
      </QueryView>
      <ShowMore list={list} />
      <ConfirmDialog
        opened={deleting !== undefined}
        onClose={() => {
          setDeleting(undefined)
          remove.reset()
        }}
        onConfirm={() => deleting && remove.mutate({ params: { renderId: deleting.id } })}
        title={deleting ? `Delete the ${FORMAT_LABELS[deleting.format]} file?` : ''}
        confirmLabel="Delete"
        loading={remove.isPending}
        error={remove.error ? messageOf(remove.error) : undefined}
      >
        {deleting && isUnderWay(deleting)
          ? 'Stops the render. The report stays, and can be rendered again.'
          : 'Deletes this file for everyone. The report stays; rendered again, it shows its texts and findings of that moment.'}
      </ConfirmDialog>
    </div>
  )
}

/** Reads the list again when a render of this tab begins or ends. */
const useReadAfterOwn = (reportId: string, refetch: () => unknown): void => {
  const states = useRenders()
    .filter(({ of }) => of.id === reportId)
    .map(({ key, finished, error }) => `${key} ${finished?.state ?? error ?? ''}`)
    .join()
  const before = useRef(states)
  useEffect(() => {
    if (before.current === states) return
    before.current = states
    refetch()
  }, [states, refetch])
}

const sizeOf = ({ size, pages }: StoredRender): string =>
  [
    ...(size === null ? [] : [formatBytes(size)]),
    ...(pages === null ? [] : [pages === 1 ? '1 page' : `${pages.toLocaleString('en')} pages`]),
  ].join(', ')

const State = ({ render: { state, format, problems } }: { render: StoredRender }) => {
  const error = state === 'failed' ? problems.find(({ level }) => level === 'error')?.message : undefined
  return (
    <span className={classes.state}>
      {state === 'queued' && (
        <StatusLabel tone="busy" shape="ring">
          Waiting
        </StatusLabel>
      )}
      {state === 'running' && <StatusLabel tone="busy">Rendering</StatusLabel>}
      {state === 'succeeded' && <StatusLabel tone="good">Ready</StatusLabel>}
      {state === 'failed' && <StatusLabel tone="bad">{error ?? 'The file could not be rendered.'}</StatusLabel>}
      <RenderProblems name={FORMAT_LABELS[format]} problems={problems} />
    </span>
  )
}

const Actions = ({ render, onDelete }: { render: StoredRender; onDelete: (() => void) | undefined }) => {
  const { id } = useOrganization()
  const name = FORMAT_LABELS[render.format]
  return (
    <span className={classes.actions}>
      {render.state === 'succeeded' && (
        <a
          className={classes.download}
          href={linkTo(id, 'downloadReportRender', { params: { renderId: render.id } })}
          download
        >
          <IconDownload size={14} aria-hidden />
          Download<span className="visually-hidden"> {name}</span>
        </a>
      )}
      {onDelete && (
        <ActionIcon size="sm" aria-label={`Delete the ${name} file`} title="Delete" onClick={onDelete}>
          <IconTrash size={14} aria-hidden />
        </ActionIcon>
      )}
    </span>
  )
}
