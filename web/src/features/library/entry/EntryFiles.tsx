import { useQuery } from '@tanstack/react-query'
import { addressOfCall, call, linkTo, query } from '../../../api/api.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { AttachedFiles } from '../../../shell/uploads/AttachedFiles.tsx'
import type { Entry } from '../entries.tsx'

const SHOWN = 100

/** Files for testers: scripts, word lists, pictures. Findings do not copy them. */
export const EntryFiles = ({ entry, isReadOnly }: { entry: Entry; isReadOnly: boolean }) => {
  const { id } = useOrganization()
  const params = { entryId: entry.id }
  return (
    <AttachedFiles
      title="Files"
      files={useQuery(query(id, 'listLibraryEntryFiles', { params, query: { perPage: SHOWN } }))}
      destination={{
        holder: entry.id,
        addressOf: (fileName) => addressOfCall('uploadLibraryEntryFile', { params, query: { fileName } }),
        invalidates: ['listLibraryEntryFiles'],
      }}
      addressOf={(fileId) => linkTo(id, 'downloadLibraryEntryFile', { params: { ...params, fileId } })}
      remove={(fileId) => call(id, 'deleteLibraryEntryFile', { params: { ...params, fileId } }, { retries: 0 })}
      isReadOnly={isReadOnly}
    />
  )
}
