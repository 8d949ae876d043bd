import { Button, FileButton, Group, Text } from '@mantine/core'
import type { Output } from '@sortie/client/calls.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { addressOfCall, messageOf, query } from '../../../../api/api.ts'
import { uploadFile } from '../../../../shell/uploads/upload-file.ts'
import { Choice } from '../../../../ui/fields/Choice.tsx'
import { toastError } from '../../../../ui/toasts/toast.ts'
import { NEW_REQUEST, usePlace } from '../../place.tsx'

interface FileChoiceProps {
  requestId: string
  label?: string
  ariaLabel?: string
  /** Id of a file; empty for none. */
  value: string
  onChange: (fileId: string) => void
}

/** Selects or uploads a file of the request. An unsaved request has none. */
export const FileChoice = (props: FileChoiceProps) =>
  props.requestId === NEW_REQUEST.id ? (
    <Text size="sm" c="dimmed">
      Save the request to add files to it.
    </Text>
  ) : (
    <SavedFileChoice {...props} />
  )

const SavedFileChoice = ({ requestId, label, ariaLabel, value, onChange }: FileChoiceProps) => {
  const { organizationId } = usePlace()
  const cache = useQueryClient()
  const [isSending, setSending] = useState(false)
  const { data } = useQuery(query(organizationId, 'listApiRequestFiles', { params: { requestId } }))
  const files = (data?.data ?? []).map(({ id, fileName }) => ({ value: id, label: fileName }))
  const upload = async (file: File | null) => {
    if (!file) return
    setSending(true)
    try {
      const address = addressOfCall('uploadApiRequestFile', { params: { requestId }, query: { fileName: file.name } })
      const ended = { signal: new AbortController().signal, onProgress: () => undefined }
      const answer = (await uploadFile(organizationId, address, file, ended)) as Output<'uploadApiRequestFile'>
      await cache.invalidateQueries({ queryKey: [organizationId, 'listApiRequestFiles'] })
      onChange(answer.data.id)
    } catch (error) {
      toastError(messageOf(error))
    } finally {
      setSending(false)
    }
  }
  return (
    <Group gap="xs" align="flex-end" wrap="nowrap">
      <Choice
        label={label}
        aria-label={ariaLabel}
        data={[{ value: '', label: 'Choose a file' }, ...files]}
        value={value}
        onChange={(chosen) => onChange(chosen)}
      />
      <FileButton onChange={(file) => void upload(file)}>
        {(props) => (
          <Button {...props} variant="default" loading={isSending}>
            Upload
          </Button>
        )}
      </FileButton>
    </Group>
  )
}
