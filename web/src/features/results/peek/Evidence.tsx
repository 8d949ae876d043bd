import { useQuery } from '@tanstack/react-query'
import { addressOfCall, call, linkTo, query } from '../../../api/api.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { AttachedFiles } from '../../../shell/uploads/AttachedFiles.tsx'

const SHOWN = 100

/** Screenshots, captures and output that prove a result. */
export const Evidence = ({ resultId, isReadOnly }: { resultId: string; isReadOnly: boolean }) => {
  const { id } = useOrganization()
  const params = { resultId }
  return (
    <AttachedFiles
      title="Evidence"
      files={useQuery(query(id, 'listResultFiles', { params, query: { perPage: SHOWN } }))}
      destination={{
        holder: resultId,
        addressOf: (fileName) => addressOfCall('uploadResultFile', { params, query: { fileName } }),
        invalidates: ['listResultFiles', 'getResult'],
      }}
      addressOf={(fileId) => linkTo(id, 'downloadResultFile', { params: { resultId, fileId } })}
      remove={(fileId) => call(id, 'deleteResultFile', { params: { resultId, fileId } }, { retries: 0 })}
      isReadOnly={isReadOnly}
    />
  )
}
