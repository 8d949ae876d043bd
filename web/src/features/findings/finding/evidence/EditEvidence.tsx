import { useQueryClient } from '@tanstack/react-query'
import { addressOfCall, messageOf } from '../../../../api/api.ts'
import { useOrganization } from '../../../../shell/context/organization.tsx'
import type { AttachedFile } from '../../../../shell/uploads/attached-file.ts'
import { uploadFile } from '../../../../shell/uploads/upload-file.ts'
import { type EditedPicture, exportName } from '../../../../ui/image-editor/drawing/picture.ts'
import { ImageEditor } from '../../../../ui/image-editor/ImageEditor.tsx'

interface EditEvidenceProps {
  findingId: string
  file: AttachedFile
  address: string
  onClose: () => void
}

/** The editor of a picture of a finding. What it saves replaces the picture, or is added to the evidence. */
export const EditEvidence = ({ findingId, file, address, onClose }: EditEvidenceProps) => {
  const { id } = useOrganization()
  const cache = useQueryClient()
  const save = async ({ blob, replaces }: EditedPicture) => {
    const fileName = exportName(file.fileName, blob)
    const query = { fileName, ...(replaces && { redacts: file.id }) }
    const upload = new File([blob], fileName, { type: blob.type })
    try {
      await uploadFile(id, addressOfCall('uploadFindingFile', { params: { findingId }, query }), upload, {
        signal: new AbortController().signal,
        onProgress: () => undefined,
      })
    } catch (error) {
      throw new Error(messageOf(error), { cause: error })
    }
    await cache.invalidateQueries({ queryKey: [id, 'listFindingFiles'] })
  }
  return (
    <ImageEditor
      fileName={file.fileName}
      address={address}
      mediaType={file.mediaType}
      onSave={save}
      onClose={onClose}
    />
  )
}
