import { Button, FileButton, Group, NativeSelect, Stack, Text, Textarea } from '@mantine/core'
import { MAX_IMPORT_BYTES } from '@sortie/contract/request-transfer.ts'
import { useState } from 'react'
import { messageOf } from '../../api.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { DialogForm } from '../../ui/DialogForm.tsx'
import { formatBytes } from '../../ui/format-bytes.ts'
import { LineList } from '../../ui/LineList.tsx'
import { type Imported, type ImportFormat, useImport } from './use-import.ts'

interface ImportDialogProps {
  folderId: string | null
  onClose: () => void
}

const FORMATS: readonly { value: ImportFormat; label: string }[] = [
  { value: 'auto', label: 'Recognise it' },
  { value: 'curl', label: 'cURL commands' },
  { value: 'postman', label: 'Postman collection 2.1' },
  { value: 'openapi', label: 'OpenAPI 3.0 or 3.1' },
  { value: 'har', label: 'HAR 1.2' },
]

/** Requests of other tools, from a file or pasted; then what became of them. */
export const ImportDialog = ({ folderId, onClose }: ImportDialogProps) => {
  const [imported, setImported] = useState<Imported>()
  return (
    <Dialog opened onClose={onClose} title="Import requests" size="lg">
      {imported ? <Outcome imported={imported} onClose={onClose} /> : <ImportForm folderId={folderId} onClose={onClose} onImported={setImported} />}
    </Dialog>
  )
}

const ImportForm = ({ folderId, onClose, onImported }: ImportDialogProps & { onImported: (imported: Imported) => void }) => {
  const [pasted, setPasted] = useState('')
  const [file, setFile] = useState<File | null>(null)
  const [format, setFormat] = useState<ImportFormat>('auto')
  const [isSending, setSending] = useState(false)
  const [error, setError] = useState<string>()
  const importInto = useImport(folderId)
  const submit = async () => {
    setSending(true)
    setError(undefined)
    try {
      onImported(await importInto(file ?? pasted, format))
    } catch (thrown) {
      setError(messageOf(thrown))
    } finally {
      setSending(false)
    }
  }
  return (
    <DialogForm
      submitLabel="Import"
      onSubmit={() => void submit()}
      onCancel={onClose}
      loading={isSending}
      disabled={file === null && pasted.trim() === ''}
      error={error}
    >
      <Text size="sm">
        cURL commands, Postman collections, OpenAPI documents and HAR files, of at most {formatBytes(MAX_IMPORT_BYTES)}. Scripts in them are kept as text and
        never run, and nothing that they refer to is fetched.
      </Text>
      <Group gap="sm">
        <FileButton onChange={setFile}>
          {(props) => (
            <Button {...props} variant="default">
              Choose a file
            </Button>
          )}
        </FileButton>
        {file && (
          <>
            <Text size="sm">
              {file.name}, {formatBytes(file.size)}
            </Text>
            <Button variant="subtle" onClick={() => setFile(null)}>
              Paste instead
            </Button>
          </>
        )}
      </Group>
      {!file && (
        <Textarea
          label="Or paste it"
          rows={8}
          spellCheck={false}
          data-autofocus
          placeholder="curl https://staging.example.com/api/users -H 'Accept: application/json'"
          value={pasted}
          onChange={(event) => setPasted(event.currentTarget.value)}
        />
      )}
      <NativeSelect label="What it is" data={[...FORMATS]} value={format} onChange={(event) => setFormat(event.currentTarget.value as ImportFormat)} />
    </DialogForm>
  )
}

const counted = (count: number, noun: string): string => `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`

const Outcome = ({ imported, onClose }: { imported: Imported; onClose: () => void }) => {
  const { requests, folders, environments, problems } = imported
  return (
    <Stack gap="md">
      <Text size="sm" role="status">
        {counted(requests.length, 'request')}, {counted(folders.length, 'folder')} and {counted(environments.length, 'environment')} were added.
        {problems.length > 0 && ` ${counted(problems.length, 'thing')} could not be taken over:`}
      </Text>
      {problems.length > 0 && (
        <LineList
          label="What could not be taken over"
          lines={problems.map(({ position, reason }, index) => ({ line: index + 1, input: position, tone: 'warn', label: 'Left out', note: reason }))}
        />
      )}
      <Group justify="flex-end">
        <Button onClick={onClose} data-autofocus>
          Done
        </Button>
      </Group>
    </Stack>
  )
}
