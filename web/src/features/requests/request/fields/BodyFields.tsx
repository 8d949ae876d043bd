import { Button, Stack, TextInput } from '@mantine/core'
import { BODY_MODES, MAX_BODY_TEXT } from '@sortie/contract/requests/request-parts.ts'
import { Choice } from '../../../../ui/fields/Choice.tsx'
import { ColouredTextarea } from '../../../../ui/fields/ColouredTextarea.tsx'
import { prettyJson } from '../../../../ui/text/bodies/body-text.ts'
import { markupOf } from '../../answer/markup/markup-text.ts'
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

/** The language of a text body, by its content type. */
const languageOf = (mediaType: string) =>
  /^\s*application\/(?:[\w.-]+\+)?json\b/i.test(mediaType) ? ('json' as const) : markupOf(mediaType)

/** Request body. */
export const BodyFields = ({ requestId, value, onChange }: BodyFieldsProps) => {
  const { mode } = value
  const formatted = mode === 'json' ? prettyJson(value.text) : undefined
  return (
    <Stack gap="sm">
      <Choice
        label="Body"
        className={classes.short}
        data={BODY_MODES.map((each) => ({ value: each, label: MODE_LABELS[each] }))}
        value={mode}
        onChange={(chosen) => onChange({ ...value, mode: chosen })}
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
        <ColouredTextarea
          label={mode === 'json' ? 'JSON' : 'Text'}
          description={mode === 'json' ? 'Sent as typed, with {{variables}} as content of strings.' : undefined}
          autosize
          minRows={8}
          maxRows={40}
          maxLength={MAX_BODY_TEXT}
          language={mode === 'json' ? 'json' : languageOf(value.mediaType)}
          value={value.text}
          onChange={(event) => onChange({ ...value, text: event.currentTarget.value })}
        />
      )}
      {mode === 'json' && (
        <Button
          variant="default"
          className={classes.add}
          disabled={formatted === undefined || formatted === value.text}
          onClick={() => onChange({ ...value, text: formatted ?? value.text })}
        >
          Format
        </Button>
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
