import { useQuery } from '@tanstack/react-query'
import { addressOfCall, call, linkTo } from '../../../../api/api.ts'
import { useOrganization } from '../../../../shell/context/organization.tsx'
import { AttachedFiles } from '../../../../shell/uploads/AttachedFiles.tsx'
import { evidenceOf } from '../texts/use-file-address.ts'
import { EvidenceList } from './EvidenceList.tsx'

/** Files of a finding, whether or not its texts show them: with captions, in the order of the report. */
export const Evidence = ({ findingId, isReadOnly }: { findingId: string; isReadOnly: boolean }) => {
  const { id } = useOrganization()
  const params = { findingId }
  const addressOf = (fileId: string) => linkTo(id, 'downloadFindingFile', { params: { findingId, fileId } })
  return (
    <AttachedFiles
      title="Evidence"
      files={useQuery(evidenceOf(id, findingId))}
      destination={{
        holder: findingId,
        addressOf: (fileName) => addressOfCall('uploadFindingFile', { params, query: { fileName } }),
        invalidates: ['listFindingFiles'],
      }}
      addressOf={addressOf}
      remove={(fileId) => call(id, 'deleteFindingFile', { params: { findingId, fileId } }, { retries: 0 })}
      isReadOnly={isReadOnly}
      list={(files, onDelete) => (
        <EvidenceList findingId={findingId} files={files} addressOf={addressOf} onDelete={onDelete} />
      )}
    />
  )
}
