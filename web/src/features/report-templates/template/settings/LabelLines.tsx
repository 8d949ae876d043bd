import { ActionIcon, Button, Text, TextInput } from '@mantine/core'
import { useRef } from 'react'
import { languageOptions } from '../../../../domain/reports/report-words.tsx'
import { addLine } from '../../../../ui/fields/add-line.ts'
import { Choice } from '../../../../ui/fields/Choice.tsx'
import { IconPlus } from '../../../../ui/icons.tsx'
import { IconTrash } from '../../../../ui/page-icons.tsx'
import classes from '../../report-templates.module.css'
import type { LabelLine } from './template-form.ts'

interface LabelLinesProps {
  value: readonly LabelLine[]
  languages: readonly string[]
  onChange: (lines: LabelLine[]) => void
}

/** Words of the report that replace those of the product. */
export const LabelLines = ({ value, languages, onChange }: LabelLinesProps) => {
  const set = (index: number, change: Partial<LabelLine>) =>
    onChange(value.map((line, at) => (at === index ? { ...line, ...change } : line)))
  const lines = useRef<HTMLDivElement>(null)
  return (
    <div ref={lines} className={classes.fields}>
      <Text size="sm" c="dimmed">
        Replace words that the product adds, such as the heading of recommendations. The key is that of report-data.
      </Text>
      {value.map((line, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- lines have no id
        <div key={index} className={classes.label} role="group" aria-label={`Word ${index + 1}`}>
          <Choice
            aria-label={`Language of word ${index + 1}`}
            data={languageOptions([line.language, ...languages])}
            value={line.language}
            onChange={(language) => set(index, { language })}
          />
          <TextInput
            aria-label={`Key of word ${index + 1}`}
            placeholder="recommendation"
            maxLength={64}
            value={line.key}
            onChange={({ currentTarget }) => set(index, { key: currentTarget.value })}
          />
          <TextInput
            aria-label={`Text of word ${index + 1}`}
            placeholder="What to do"
            maxLength={200}
            value={line.text}
            onChange={({ currentTarget }) => set(index, { text: currentTarget.value })}
          />
          <ActionIcon
            size={30}
            aria-label={`Remove word ${index + 1}`}
            onClick={() => onChange(value.filter((_, at) => at !== index))}
          >
            <IconTrash size={15} aria-hidden />
          </ActionIcon>
        </div>
      ))}
      <div>
        <Button
          variant="default"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() =>
            addLine(lines.current, () => onChange([...value, { language: languages[0] ?? 'en', key: '', text: '' }]))
          }
        >
          Add a word
        </Button>
      </div>
    </div>
  )
}
