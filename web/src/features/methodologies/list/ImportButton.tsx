import { Button, FileButton } from '@mantine/core'
import type { Output } from '@sortie/client/calls.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { addressOfCall, messageOf } from '../../../api/api.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { uploadFile } from '../../../shell/uploads/upload-file.ts'
import { toast, toastError } from '../../../ui/feedback/toast.ts'
import { IconUpload } from '../../../ui/icons.tsx'

/** Creates a methodology from an exported JSON or CSV file. A CSV takes its name from the file. */
export const ImportButton = ({ onImported }: { onImported: (methodologyId: string) => void }) => {
  const organization = useOrganization()
  const cache = useQueryClient()
  const [isSending, setSending] = useState(false)
  const send = async (file: File | null) => {
    if (!file) return
    setSending(true)
    try {
      const name = file.name.replace(/\.[^.]*$/, '').slice(0, 200)
      const format = /\.json$/i.test(file.name) ? { format: 'json' } : { format: 'csv', name }
      const options = { signal: new AbortController().signal, onProgress: () => undefined }
      const { data } = (await uploadFile(
        organization.id,
        addressOfCall('importMethodology', { query: format }),
        file,
        options,
      )) as Output<'importMethodology'>
      toast(`Imported ${data.name} with ${data.itemCount} ${data.itemCount === 1 ? 'item' : 'items'}.`)
      await cache.invalidateQueries({ queryKey: [organization.id, 'listMethodologies'] })
      onImported(data.id)
    } catch (error) {
      toastError(`${file.name}: ${messageOf(error)}`)
    } finally {
      setSending(false)
    }
  }
  return (
    <FileButton accept=".json,.csv,application/json,text/csv" onChange={(file) => void send(file)}>
      {(props) => (
        <Button {...props} variant="default" loading={isSending} leftSection={<IconUpload size={14} aria-hidden />}>
          Import
        </Button>
      )}
    </FileButton>
  )
}
