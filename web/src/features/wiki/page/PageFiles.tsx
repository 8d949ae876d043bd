import { useQuery } from '@tanstack/react-query'
import { addressOfCall, call, linkTo, query } from '../../../api/api.ts'
import { AttachedFiles } from '../../../shell/uploads/AttachedFiles.tsx'
import { UploadsProvider } from '../../../shell/uploads/uploads.tsx'
import { useWiki, type WikiPage } from '../wiki-tree.tsx'

const SHOWN = 100

/** Files of a page, whether or not its text shows them. */
export const PageFiles = ({ page, isReadOnly }: { page: WikiPage; isReadOnly: boolean }) => {
  const { organizationId, addressOf } = useWiki()
  const params = { pageId: page.id }
  const files = useQuery(query(organizationId, 'listWikiPageFiles', { params, query: { perPage: SHOWN } }))
  if (isReadOnly && files.data?.data.length === 0) return null
  return (
    <UploadsProvider key={page.id} below={addressOf(page.id)}>
      <AttachedFiles
        title="Files"
        files={files}
        destination={{
          holder: page.id,
          addressOf: (fileName) => addressOfCall('uploadWikiPageFile', { params, query: { fileName } }),
          invalidates: ['listWikiPageFiles'],
        }}
        addressOf={(fileId) => linkTo(organizationId, 'downloadWikiPageFile', { params: { ...params, fileId } })}
        remove={(fileId) =>
          call(organizationId, 'deleteWikiPageFile', { params: { ...params, fileId } }, { retries: 0 })
        }
        isReadOnly={isReadOnly}
      />
    </UploadsProvider>
  )
}
