import { useQuery } from '@tanstack/react-query'
import { addressOfCall, call, linkTo, query } from '../../../api/api.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { AttachedFiles } from '../../../shell/uploads/AttachedFiles.tsx'

const SHOWN = 100

/** Files of a task. */
export const TaskFiles = ({ taskId, isReadOnly }: { taskId: string; isReadOnly: boolean }) => {
  const { id } = useOrganization()
  const params = { taskId }
  return (
    <AttachedFiles
      title="Files"
      files={useQuery(query(id, 'listTaskFiles', { params, query: { perPage: SHOWN } }))}
      destination={{
        holder: taskId,
        addressOf: (fileName) => addressOfCall('uploadTaskFile', { params, query: { fileName } }),
        invalidates: ['listTaskFiles', 'listTaskHistory'],
      }}
      addressOf={(fileId) => linkTo(id, 'downloadTaskFile', { params: { taskId, fileId } })}
      remove={(fileId) => call(id, 'deleteTaskFile', { params: { taskId, fileId } }, { retries: 0 })}
      isReadOnly={isReadOnly}
      isQuiet
    />
  )
}
