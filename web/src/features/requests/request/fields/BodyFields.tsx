import { NativeSelect, Stack, Textarea, TextInput } from '@mantine/core'
import { BODY_MODES, MAX_BODY_TEXT } from '@sortie/contract/requests/request-parts.ts'
import type { BodyValues } from '../request-values.ts'
import classes from '../request.module.css'
import { FileChoice } from './FileChoice.tsx'
import { Pairs } from './Pairs.tsx'
import { Parts } from './Parts.tsx'

interface BodyFieldsProps {
  requestId: string
  value: BodyValues
  onChange: (value: BodyValues) => void
}

const MODE_LABELS: Record<BodyValues['mode'], string> = {
  none: 'None',
  raw: 'Text',
  json: 'JSON',
  form: 'Form',
  multipart: 'Multipart form',
  file: 'A file',
}

/** Request body. */
export const BodyFields = ({ requestId, value, onChange }: BodyFieldsProps) => {
  const { mode } = value
  return (
    <Stack gap="sm">
      <NativeSelect
        label="Body"
        className={classes.short}
        data={BODY_MODES.map((each) => ({ value: each, label: MODE_LABELS[each] }))}
        value={mode}
        onChange={(event) => onChange({ ...value, mode: event.currentTarget.value as BodyValues['mode'] })}
      />
      {(mode === 'raw' || mode === 'file') && (
        <TextInput
          label="Content type"
          placeholder={mode === 'raw' ? 'text/plain' : 'application/octet-stream'}
          className={classes.short}
          spellCheck={false}
          maxLength={200}
          value={value.mediaType}
          onChange={(event) => onChange({ ...value, mediaType: event.currentTarget.value })}
        />
      )}
      {(mode === 'raw' || mode === 'json') && (
        <Textarea
          label={mode === 'json' ? 'JSON' : 'Text'}
          description={mode === 'json' ? 'Sent as typed, with {{variables}} as content of strings.' : undefined}
          rows={12}
          maxLength={MAX_BODY_TEXT}
          spellCheck={false}
          classNames={{ input: classes.code as string }}
          value={value.text}
          onChange={(event) => onChange({ ...value, text: event.currentTarget.value })}
        />
      )}
      {mode === 'form' && (
        <Pairs noun="field" value={value.fields} onChange={(fields) => onChange({ ...value, fields })} />
      )}
      {mode === 'multipart' && (
        <Parts requestId={requestId} value={value.parts} onChange={(parts) => onChange({ ...value, parts })} />
      )}
      {mode === 'file' && (
        <FileChoice
          requestId={requestId}
          label="File"
          value={value.fileId}
          onChange={(fileId) => onChange({ ...value, fileId })}
        />
      )}
    </Stack>
  )
}
