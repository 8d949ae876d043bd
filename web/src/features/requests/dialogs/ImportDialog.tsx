import { Button, Checkbox, FileButton, Group, Stack, Text, Textarea } from '@mantine/core'
import { MAX_IMPORT_BYTES } from '@sortie/contract/requests/request-transfer.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '../../../api/api.ts'
import { Dialog } from '../../../ui/dialogs/Dialog.tsx'
import { DialogForm } from '../../../ui/dialogs/DialogForm.tsx'
import { Choice } from '../../../ui/fields/Choice.tsx'
import { LineList } from '../../../ui/lists/LineList.tsx'
import { formatBytes } from '../../../ui/values/format-bytes.ts'
import { folderOptions, useSaved } from '../tree/tree.ts'
import { type Imported, type ImportFormat, useImport } from './use-import.ts'

interface ImportDialogProps {
  onClose: () => void
}

const FORMATS: readonly { value: ImportFormat; label: string }[] = [
  { value: 'auto', label: 'Detect' },
  { value: 'curl', label: 'cURL commands' },
  { value: 'http', label: 'HTTP requests' },
  { value: 'postman', label: 'Postman collection or environment' },
  { value: 'openapi', label: 'OpenAPI 3 or Swagger 2.0' },
  { value: 'har', label: 'HAR 1.2' },
  { value: 'insomnia', label: 'Insomnia' },
  { value: 'bruno', label: 'Bruno' },
  { value: 'hoppscotch', label: 'Hoppscotch' },
  { value: 'burp', label: 'Saved items of Burp' },
]

interface ImportSource {
  pasted: string
  file: File | null
  format: ImportFormat
  /** Null for the top, whatever is open: a collection brings folders of its own. */
  folderId: string | null
  /** Names in braces are text, not variables. */
  keepsBraces: boolean
}

/** Requests of other tools, from a file or pasted; then what they would be, and once that is confirmed, are. */
export const ImportDialog = ({ onClose }: ImportDialogProps) => {
  const [source, setSource] = useState<ImportSource>({
    pasted: '',
    file: null,
    format: 'auto',
    folderId: null,
    keepsBraces: false,
  })
  const [outcome, setOutcome] = useState<{ mode: 'preview' | 'apply'; imported: Imported }>()
  const [isSending, setSending] = useState(false)
  const [error, setError] = useState<string>()
  const importInto = useImport(source.folderId, source.keepsBraces)
  const run = async (mode: 'preview' | 'apply') => {
    setSending(true)
    setError(undefined)
    try {
      setOutcome({ mode, imported: await importInto(source.file ?? source.pasted, source.format, mode) })
    } catch (thrown) {
      setError(messageOf(thrown))
    } finally {
      setSending(false)
    }
  }
  const sending = { loading: isSending, error }
  return (
    <Dialog opened onClose={onClose} title="Import requests" size="lg">
      {outcome === undefined && (
        <ImportForm
          source={source}
          onChange={setSource}
          onSubmit={() => void run('preview')}
          onCancel={onClose}
          {...sending}
        />
      )}
      {outcome?.mode === 'preview' && (
        <DialogForm
          submitLabel="Import"
          onSubmit={() => void run('apply')}
          onCancel={onClose}
          alternative={
            <Button variant="default" onClick={() => setOutcome(undefined)} disabled={isSending}>
              Back
            </Button>
          }
          disabled={isNothing(outcome.imported)}
          {...sending}
        >
          <Counts imported={outcome.imported} verb="would be added" />
        </DialogForm>
      )}
      {outcome?.mode === 'apply' && (
        <Stack gap="md">
          <Counts imported={outcome.imported} verb="added" />
          <Group justify="flex-end">
            <Button onClick={onClose} data-autofocus>
              Done
            </Button>
          </Group>
        </Stack>
      )}
    </Dialog>
  )
}

const isNothing = ({ requests, folders, environments }: Imported): boolean =>
  requests.length + folders.length + environments.length === 0

interface ImportFormProps {
  source: ImportSource
  onChange: (source: ImportSource) => void
  onSubmit: () => void
  onCancel: () => void
  loading: boolean
  error: string | undefined
}

const ImportForm = ({ source, onChange, ...form }: ImportFormProps) => {
  const { pasted, file, format } = source
  const folders = useQuery(useSaved().folders)
  const setFile = (chosen: File | null) => onChange({ ...source, file: chosen })
  return (
    <DialogForm submitLabel="Preview" disabled={file === null && pasted.trim() === ''} {...form}>
      <Text size="sm">
        cURL commands and HTTP requests, collections of Postman, Insomnia, Bruno and Hoppscotch, OpenAPI documents, HAR
        files and saved items of Burp, of at most {formatBytes(MAX_IMPORT_BYTES)}. Scripts in them are kept as text and
        never run, and external references are not fetched.
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
          label="Or paste text"
          rows={8}
          spellCheck={false}
          data-autofocus
          placeholder="curl https://staging.example.com/api/users -H 'Accept: application/json'"
          value={pasted}
          onChange={(event) => onChange({ ...source, pasted: event.currentTarget.value })}
        />
      )}
      <Choice
        label="Format"
        data={[...FORMATS]}
        value={format}
        onChange={(chosen) => onChange({ ...source, format: chosen })}
      />
      <Checkbox
        label="Keep {{names}} as text"
        description="Otherwise they are variables, as in cURL commands and collections."
        checked={source.keepsBraces}
        onChange={(event) => onChange({ ...source, keepsBraces: event.currentTarget.checked })}
      />
      <Choice
        label="Into"
        data={[{ value: '', label: 'At the top' }, ...folderOptions(folders.data ?? [])]}
        value={source.folderId ?? ''}
        onChange={(chosen) => onChange({ ...source, folderId: chosen || null })}
      />
    </DialogForm>
  )
}

const counted = (count: number, noun: string): string =>
  `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`

const Counts = ({ imported, verb }: { imported: Imported; verb: string }) => {
  const { requests, folders, environments, problems, unresolved } = imported
  return (
    <>
      <Text size="sm" role="status">
        {counted(requests.length, 'request')}, {counted(folders.length, 'folder')} and{' '}
        {counted(environments.length, 'environment')} {verb}.
        {problems.length > 0 && ` ${counted(problems.length, 'item')} cannot be imported:`}
      </Text>
      {problems.length > 0 && (
        <LineList
          label="Items that cannot be imported"
          lines={problems.map(({ position, reason }, index) => ({
            line: index + 1,
            input: position,
            tone: 'warn',
            label: 'Left out',
            note: reason,
          }))}
        />
      )}
      {unresolved.length > 0 && (
        <>
          <Text size="sm">
            {unresolved.length === 1
              ? 'A variable has no value in the file. Set it in an environment before you send:'
              : `${unresolved.length.toLocaleString('en')} variables have no value in the file. Set them in an environment before you send:`}
          </Text>
          <LineList
            label="Variables without a value"
            lines={unresolved.map(({ name, requests: uses }, index) => ({
              line: index + 1,
              input: `{{${name}}}`,
              tone: 'warn',
              label: 'No value',
              note: `in ${counted(uses, 'request')}`,
            }))}
          />
        </>
      )}
    </>
  )
}
