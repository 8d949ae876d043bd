import { Button, FileButton } from '@mantine/core'
import type { Input } from '@sortie/client/calls.ts'
import { type DragEvent, useEffect, useState } from 'react'
import { rows } from '../../../api/rows.ts'
import { useEngagement } from '../../../shell/context/engagement.tsx'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { GridView } from '../../../shell/reads/GridView.tsx'
import { useGridPage } from '../../../shell/reads/use-grid-page.ts'
import { importDestination, importHolder } from '../../../shell/uploads/import-destination.ts'
import { UploadQueue } from '../../../shell/uploads/UploadQueue.tsx'
import { useUploads } from '../../../shell/uploads/uploads.tsx'
import { type FileTime, useSeenTimes } from '../../../shell/uploads/use-seen-times.tsx'
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import { FilterBar } from '../../../ui/filters/FilterBar.tsx'
import { useRows } from '../../../ui/grid/rows/use-rows.ts'
import { IconFileImport } from '../../../ui/icons.tsx'
import { IconUpload } from '../../../ui/page-icons.tsx'
import { Page } from '../../../ui/page/Page.tsx'
import classes from '../imports.module.css'
import { list as route } from '../imports.routes.ts'
import { ImportPeek } from '../peek/ImportPeek.tsx'
import { isRunning } from '../states.ts'
import { COLUMNS } from './columns.tsx'
import { describeOptions, type ImportOptions, toQuery, USUAL } from './import-options.ts'
import { FILTERS } from './imports-search.ts'
import { OptionsButton } from './OptionsButton.tsx'
import { useRefresh } from './use-refresh.ts'

type Filters = Omit<Input<'listImports'>['query'] & {}, 'engagementId'>

/** Imported scanner files and their outcome. Accepts files by drop anywhere on the page or by file dialog. */
export const ImportsPage = () => {
  const organization = useOrganization()
  const { engagement, isArchived } = useEngagement()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const grid = useGridPage(search, navigate, {
    definitions: FILTERS,
    sort: 'createdAt',
    order: 'desc',
    hasOneSort: true,
  })
  const { peek, setPeek } = grid
  const [options, setOptions] = useState(USUAL)
  const [isOver, setOver] = useState(false)
  const { upload, dialog } = useImportUploads(options, setPeek)
  const filters = { ...(grid.values as Filters), engagementId: engagement.id }
  const list = useRows(rows(organization.id, 'listImports', { query: { ...filters, order: grid.ordered.order } }))
  useRefresh(list.rows.some(isRunning))
  const drop = (event: DragEvent) => {
    if (event.defaultPrevented) return
    event.preventDefault()
    setOver(false)
    if (!isArchived) upload([...event.dataTransfer.files])
  }
  const choose = !isArchived && (
    <FileButton multiple onChange={upload}>
      {(props) => (
        <Button {...props} leftSection={<IconUpload size={14} aria-hidden />}>
          Import files
        </Button>
      )}
    </FileButton>
  )
  return (
    <div
      className={classes.page}
      data-over={(isOver && !isArchived) || undefined}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false)
      }}
      onDrop={drop}
    >
      <Page
        title="Imports"
        documentTitle={`Imports · ${engagement.name}`}
        actions={
          !isArchived && (
            <>
              <OptionsButton options={options} onChange={setOptions} />
              {choose}
            </>
          )
        }
        layout="full"
      >
        {!isArchived && <DropZone options={options} />}
        {dialog}
        <UploadQueue holder={importHolder(engagement.id)} />
        <GridView
          name="imports"
          views="imports"
          label="Imports"
          nouns={['import', 'imports']}
          columns={COLUMNS}
          list={list}
          rowKey={({ id }) => id}
          {...grid.sorting}
          peek={{
            id: peek,
            onChange: setPeek,
            render: (id) => <ImportPeek key={id} importId={id} onGone={() => setPeek(undefined)} />,
          }}
          filters={<FilterBar {...grid.filtering} />}
          isFiltered={grid.isFiltered}
          empty={
            grid.isFiltered ? <EmptyState title="No import matches these filters" /> : <FirstImport action={choose} />
          }
        />
      </Page>
    </div>
  )
}

/**
 * Uploads files for import, asks for the time if older ones are among them, and opens a single file's import once it
 * exists.
 */
const useImportUploads = (options: ImportOptions, onReceived: (importId: string) => void) => {
  const { engagement } = useEngagement()
  const { uploads, add, remove } = useUploads()
  const holder = importHolder(engagement.id)
  const own = uploads.filter(({ destination }) => destination.holder === holder)
  const done = own.find(({ state }) => state === 'done')
  useEffect(() => {
    if (!done) return
    // From now on the list below contains it.
    remove(done.id)
    if (own.length === 1) onReceived((done.answer as { data: { id: string } }).data.id)
  }, [done, own.length, remove, onReceived])
  const addAll = (files: readonly File[], time: FileTime = {}) =>
    add(files, importDestination(engagement.id, { ...time, ...toQuery(options) }))
  const { send, dialog } = useSeenTimes((file, time) => addAll([file], time))
  // No question if the user has already set a time.
  return { upload: (files: readonly File[]) => (options.seenAt ? addAll(files) : send(files)), dialog }
}

const DropZone = ({ options }: { options: ImportOptions }) => (
  <div className={classes.zone}>
    <IconFileImport size={18} stroke={1.5} aria-hidden />
    <span>
      Drop files of nmap, masscan, Nessus, nuclei, Burp and others anywhere on this page
      {describeOptions(options).length > 0
        ? `: ${describeOptions(options).join(', ')}.`
        : '. Formats are detected automatically.'}
    </span>
  </div>
)

const FirstImport = ({ action }: { action: React.ReactNode }) => (
  <EmptyState icon={<IconFileImport size={32} stroke={1.4} />} title="No imports yet" action={action}>
    Drop the output of a scanner here, plain or gzip: hosts, services and vulnerabilities in it become results of this
    engagement. A later file of the same targets shows what is new, changed or gone, and every import can be undone.
  </EmptyState>
)
