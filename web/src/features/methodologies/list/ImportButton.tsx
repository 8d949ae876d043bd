import { Button, FileButton } from '@mantine/core'
import type { Output } from '@sortie/client/calls.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { addressOfCall, messageOf } from '../../../api/api.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { uploadFile } from '../../../shell/uploads/upload-file.ts'
import { IconUpload } from '../../../ui/page-icons.tsx'
import { toast, toastError } from '../../../ui/toasts/toast.ts'

/**
 * Creates a methodology from a file: an export, a published checklist, a table or Markdown. Those without a name take
 * it from the file.
 */
export const ImportButton = ({ onImported }: { onImported: (methodologyId: string) => void }) => {
  const organization = useOrganization()
  const cache = useQueryClient()
  const [isSending, setSending] = useState(false)
  const send = async (file: File | null) => {
    if (!file) return
    setSending(true)
    try {
      const name = file.name.replace(/\.[^.]*$/, '').slice(0, 200)
      const query = /\.json$/i.test(file.name) ? {} : { name }
      const options = { signal: new AbortController().signal, onProgress: () => undefined }
      const { data } = (await uploadFile(
        organization.id,
        addressOfCall('importMethodology', { query }),
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
    <FileButton
      accept=".json,.csv,.tsv,.md,.markdown,.txt,application/json,text/csv,text/markdown"
      onChange={(file) => void send(file)}
    >
      {(props) => (
        <Button {...props} variant="default" loading={isSending} leftSection={<IconUpload size={14} aria-hidden />}>
          Import
        </Button>
      )}
    </FileButton>
  )
}
