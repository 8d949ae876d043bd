import { Button, FileButton, Group, Stack, Text } from '@mantine/core'
import type { Output } from '@sortie/client/calls.ts'
import { LIBRARY_FORMATS } from '@sortie/contract/findings/library-transfer.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { addressOfCall, messageOf } from '../../../api/api.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { uploadFile } from '../../../shell/uploads/upload-file.ts'
import { Dialog } from '../../../ui/dialogs/Dialog.tsx'
import { DialogForm } from '../../../ui/dialogs/DialogForm.tsx'
import { Choice } from '../../../ui/fields/Choice.tsx'
import { DataTable } from '../../../ui/lists/DataTable.tsx'
import { IconUpload } from '../../../ui/page-icons.tsx'
import { capitalised } from '../../../ui/text/capitalised.ts'
import { toast } from '../../../ui/toasts/toast.ts'
import { staleReads } from '../entries.tsx'

type Format = (typeof LIBRARY_FORMATS)[number]
type Outcome = Output<'importLibraryEntries'>['data']

const FORMAT_LABELS: Record<Format, string> = {
  auto: 'Detect automatically',
  json: 'JSON of this product',
  csv: 'CSV of this product',
  pwndoc: 'PwnDoc (JSON, YAML)',
  sysreptor: 'SysReptor (JSON, TOML, .tar.gz)',
  ghostwriter: 'Ghostwriter (CSV)',
}

interface Chosen {
  file: File
  format: Format
}

/** Imports entries from a file: first a preview, then the import itself. */
export const ImportDialog = ({ onClose }: { onClose: () => void }) => (
  <Dialog opened onClose={onClose} title="Import library entries" size="lg">
    <ImportForm onClose={onClose} />
  </Dialog>
)

const ImportForm = ({ onClose }: { onClose: () => void }) => {
  const { id } = useOrganization()
  const cache = useQueryClient()
  const [format, setFormat] = useState<Format>('auto')
  const [chosen, setChosen] = useState<File>()
  const send = async (mode: 'preview' | 'apply', { file, format: as }: Chosen): Promise<Outcome> => {
    const address = addressOfCall('importLibraryEntries', { query: { format: as, mode } })
    const options = { signal: new AbortController().signal, onProgress: () => undefined }
    return ((await uploadFile(id, address, file, options)) as Output<'importLibraryEntries'>).data
  }
  const preview = useMutation({ mutationFn: (read: Chosen) => send('preview', read) })
  const apply = useMutation({
    mutationFn: (read: Chosen) => send('apply', read),
    onSuccess: async ({ created, updated }) => {
      toast(`Imported ${countOf(created + updated)}.`)
      await Promise.all(staleReads(id).map((queryKey) => cache.invalidateQueries({ queryKey })))
      onClose()
    },
  })
  const read = (next: Partial<Chosen>) => {
    const file = next.file ?? chosen
    if (next.format) setFormat(next.format)
    if (!file) return
    setChosen(file)
    apply.reset()
    preview.mutate({ file, format: next.format ?? format })
  }
  const outcome = preview.data
  const changes = outcome ? outcome.created + outcome.updated : 0
  const error = apply.error ?? preview.error
  return (
    <DialogForm
      submitLabel={changes > 0 ? `Import ${countOf(changes)}` : 'Import'}
      onSubmit={() => chosen && apply.mutate({ file: chosen, format })}
      onCancel={onClose}
      loading={apply.isPending}
      error={error ? messageOf(error) : undefined}
      disabled={changes > 0 ? false : chosen ? 'This file has nothing to import.' : 'Choose a file first.'}
    >
      <Text size="sm" c="dimmed">
        Entries are matched by their key. New and changed ones are drafts until someone approves them.
      </Text>
      <Group align="end" gap="sm">
        <FileButton accept=".json,.csv,.yml,.yaml,.toml,.gz,.tgz" onChange={(file) => file && read({ file })}>
          {(props) => (
            <Button
              {...props}
              data-autofocus
              variant="default"
              loading={preview.isPending}
              leftSection={<IconUpload size={14} aria-hidden />}
            >
              {chosen ? 'Choose another file' : 'Choose a file'}
            </Button>
          )}
        </FileButton>
        <Choice
          label="Format"
          data={LIBRARY_FORMATS.map((value) => ({ value, label: FORMAT_LABELS[value] }))}
          value={format}
          onChange={(chosen) => read({ format: chosen })}
        />
      </Group>
      {outcome && chosen && !preview.isPending && <Preview name={chosen.name} outcome={outcome} />}
    </DialogForm>
  )
}

const countOf = (count: number): string => (count === 1 ? '1 entry' : `${count.toLocaleString('en')} entries`)

const Preview = ({ name, outcome }: { name: string; outcome: Outcome }) => {
  const { created, updated, unchanged, rejected } = outcome
  return (
    <Stack gap="sm">
      <Text size="sm" role="status">
        {name}: {created.toLocaleString('en')} new, {updated.toLocaleString('en')} changed,{' '}
        {unchanged.toLocaleString('en')} unchanged, {rejected.length.toLocaleString('en')} rejected.
      </Text>
      {rejected.length > 0 && (
        <DataTable
          label="Rejected entries"
          rows={rejected}
          rowKey={({ position }) => String(position)}
          columns={[
            { header: 'Entry', nowrap: true, cell: ({ position }) => `No. ${position}` },
            { header: 'Reason', cell: ({ reason }) => capitalised(reason) },
          ]}
        />
      )}
    </Stack>
  )
}
