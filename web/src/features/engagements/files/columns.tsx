import type { GridColumn } from '../../../ui/grid/columns/columns.ts'
import { Person } from '../../../ui/people/Person.tsx'
import { formatBytes } from '../../../ui/values/format-bytes.ts'
import { TimeAgo } from '../../../ui/values/TimeAgo.tsx'
import { DownloadLink } from './DownloadLink.tsx'
import type { StoredFile } from './stored-file.ts'

export const COLUMNS: GridColumn<StoredFile>[] = [
  { id: 'fileName', header: 'Name', hasLink: true, width: 320, line: 1, cell: (file) => <DownloadLink file={file} /> },
  { id: 'size', header: 'Size', width: 110, align: 'end', line: 1, cell: ({ size }) => formatBytes(size) },
  { id: 'mediaType', header: 'Type', width: 190, cell: ({ mediaType }) => mediaType },
  {
    id: 'createdBy',
    header: 'Uploaded by',
    width: 180,
    line: 2,
    cell: ({ createdBy }) => (createdBy ? <Person name={createdBy.name} /> : 'API key'),
  },
  {
    id: 'createdAt',
    header: 'Uploaded',
    width: 150,
    sort: 'createdAt',
    firstOrder: 'desc',
    line: 2,
    cell: ({ createdAt }) => <TimeAgo iso={createdAt} />,
  },
  { id: 'sha256', header: 'SHA-256', width: 320, isHidden: true, cell: ({ sha256 }) => <code>{sha256}</code> },
]
