import { ActionIcon, Button, Checkbox, TextInput } from '@mantine/core'
import { addLine } from '../../../../ui/fields/add-line.ts'
import { Choice } from '../../../../ui/fields/Choice.tsx'
import { IconPlus } from '../../../../ui/icons.tsx'
import { IconX } from '../../../../ui/page-icons.tsx'
import type { Part } from '../request-values.ts'
import classes from '../request.module.css'
import { FileChoice } from './FileChoice.tsx'

interface PartsProps {
  requestId: string
  value: readonly Part[]
  onChange: (value: Part[]) => void
}

/** Parts of a multipart form: each is text or a file of the request. */
export const Parts = ({ requestId, value, onChange }: PartsProps) => (
  <>
    <ul className={classes.rows}>
      {value.map((part, index) => (
        <PartRow
          // oxlint-disable-next-line react/no-array-index-key -- lines have no id
          key={index}
          requestId={requestId}
          number={index + 1}
          part={part}
          onChange={(next) => onChange(value.with(index, next))}
          onRemove={() => onChange(value.filter((_, other) => other !== index))}
        />
      ))}
    </ul>
    <Button
      variant="default"
      className={classes.add}
      leftSection={<IconPlus size={14} aria-hidden />}
      onClick={(event) =>
        addLine(event.currentTarget.previousElementSibling, () =>
          onChange([...value, { name: '', value: '', enabled: true }]),
        )
      }
    >
      Add a part
    </Button>
  </>
)

interface PartRowProps {
  requestId: string
  number: number
  part: Part
  onChange: (part: Part) => void
  onRemove: () => void
}

const PartRow = ({ requestId, number, part, onChange, onRemove }: PartRowProps) => {
  const { name, enabled, fileId, value = '', mediaType } = part
  const kept = { name, enabled, ...(mediaType !== undefined && { mediaType }) }
  return (
    <li className={classes.test}>
      <Checkbox
        aria-label={`Send part ${number}`}
        checked={enabled}
        onChange={(event) => onChange({ ...part, enabled: event.currentTarget.checked })}
      />
      <TextInput
        aria-label={`Name of part ${number}`}
        placeholder="Name"
        spellCheck={false}
        maxLength={1_000}
        value={name}
        onChange={(event) => onChange({ ...part, name: event.currentTarget.value })}
      />
      <Choice
        aria-label={`Kind of part ${number}`}
        data={[
          { value: 'text', label: 'Text' },
          { value: 'file', label: 'File' },
        ]}
        value={fileId === undefined ? 'text' : 'file'}
        onChange={(chosen) => onChange(chosen === 'file' ? { ...kept, fileId: '' } : { ...kept, value: '' })}
      />
      {fileId === undefined ? (
        <TextInput
          aria-label={`Value of part ${number}`}
          spellCheck={false}
          value={value}
          onChange={(event) => onChange({ ...part, value: event.currentTarget.value })}
        />
      ) : (
        <FileChoice
          requestId={requestId}
          ariaLabel={`File of part ${number}`}
          value={fileId}
          onChange={(next) => onChange({ ...part, fileId: next })}
        />
      )}
      <ActionIcon aria-label={`Remove part ${number}`} onClick={onRemove}>
        <IconX size={14} aria-hidden />
      </ActionIcon>
    </li>
  )
}
