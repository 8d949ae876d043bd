import { Button, FileButton } from '@mantine/core'
import { type DragEvent, useState } from 'react'
import { addressOfCall } from '../../../api/api.ts'
import { rows } from '../../../api/rows.ts'
import { useEngagement } from '../../../shell/context/engagement.tsx'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { GridView } from '../../../shell/reads/GridView.tsx'
import { useGridPage } from '../../../shell/reads/use-grid-page.ts'
import { UploadQueue } from '../../../shell/uploads/UploadQueue.tsx'
import { type Destination, useUploads } from '../../../shell/uploads/uploads.tsx'
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import { useRows } from '../../../ui/grid/rows/use-rows.ts'
import { IconFile, IconUpload } from '../../../ui/page-icons.tsx'
import { Page } from '../../../ui/page/Page.tsx'
import { files as route } from '../engagements.routes.ts'
import { COLUMNS } from './columns.tsx'
import { DeleteFileDialog } from './DeleteFileDialog.tsx'
import { FilePeek } from './FilePeek.tsx'
import classes from './files.module.css'
import type { StoredFile } from './stored-file.ts'

/** The files of an engagement; accepts files by drop anywhere on the page or by file dialog. */
export const FilesPage = () => {
  const organization = useOrganization()
  const { engagement, mayChange, isArchived } = useEngagement()
  const grid = useGridPage(route.useSearch(), route.useNavigate(), {
    sort: 'createdAt',
    order: 'desc',
    hasOneSort: true,
  })
  const { peek, setPeek } = grid
  const { add } = useUploads()
  const [deleting, setDeleting] = useState<StoredFile>()
  const mayUpload = mayChange && !isArchived
  const params = { engagementId: engagement.id }
  const destination: Destination = {
    holder: engagement.id,
    addressOf: (fileName) => addressOfCall('uploadFile', { params, query: { fileName } }),
    invalidates: ['listFiles'],
  }
  const upload = (files: File[]) => add(files, destination)
  const list = useRows(rows(organization.id, 'listFiles', { params, query: { order: grid.ordered.order } }))
  const drop = (event: DragEvent) => {
    event.preventDefault()
    if (mayUpload) upload([...event.dataTransfer.files])
  }
  const choose = mayUpload && (
    <FileButton multiple onChange={upload}>
      {(props) => (
        <Button {...props} leftSection={<IconUpload size={14} aria-hidden />}>
          Upload files
        </Button>
      )}
    </FileButton>
  )
  return (
    <div onDragOver={(event) => event.preventDefault()} onDrop={drop} className={classes.dropZone}>
      <Page title="Files" documentTitle={`Files · ${engagement.name}`} actions={choose} layout="full">
        <UploadQueue holder={engagement.id} />
        <GridView
          name="files"
          label="Files"
          nouns={['file', 'files']}
          columns={COLUMNS}
          list={list}
          rowKey={({ id }) => id}
          {...grid.sorting}
          peek={{
            id: peek,
            onChange: setPeek,
            render: (_, file) =>
              file && <FilePeek file={file} {...(mayUpload && { onDelete: () => setDeleting(file) })} />,
          }}
          empty={
            <EmptyState icon={<IconFile size={32} stroke={1.4} />} title="No files yet" action={choose}>
              Captures, screenshots, tool output: all files of the engagement. Drop them here.
            </EmptyState>
          }
        />
        <DeleteFileDialog
          file={deleting}
          onClose={() => setDeleting(undefined)}
          onDeleted={() => {
            setDeleting(undefined)
            setPeek(undefined)
          }}
        />
      </Page>
    </div>
  )
}
