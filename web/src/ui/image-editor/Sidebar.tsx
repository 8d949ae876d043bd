import { Button, Radio, Stack, Text, TextInput, Title } from '@mantine/core'
import type { RefObject } from 'react'
import { FormError } from '../fields/FormError.tsx'
import { describe, hidesSomething, type Size } from './drawing/marks.ts'
import classes from './image-editor.module.css'
import type { Marks } from './use-marks.ts'

interface SidebarProps {
  picture: Size
  marks: Marks
  /** Of the words of a text. */
  field: RefObject<HTMLInputElement | null>
  replaces: boolean
  onReplace: (replaces: boolean) => void
  error: string | undefined
  isSaving: boolean
  onSave: () => void
}

const MAX_TEXT = 200

/** The marks by name, the words of a text, and what saving does. */
export const Sidebar = ({ marks, field, replaces, onReplace, error, isSaving, onSave }: SidebarProps) => {
  const { selected } = marks
  const isEmpty = marks.marks.length === 0
  const hides = hidesSomething(marks.marks)
  return (
    <aside className={classes.sidebar} aria-label="Marks and saving">
      <div className={classes.marks}>
        {selected?.kind === 'text' && (
          <TextInput
            ref={field}
            label="Text"
            mb="sm"
            maxLength={MAX_TEXT}
            value={selected.text}
            onChange={(event) => marks.update({ ...selected, text: event.currentTarget.value }, `text ${selected.id}`)}
          />
        )}
        <Title order={3} size="h6" mb={4}>
          Marks
        </Title>
        {isEmpty ? (
          <Text size="sm" c="dimmed">
            None yet.
          </Text>
        ) : (
          <ol className={classes.list}>
            {marks.marks.map((mark) => (
              <li key={mark.id}>
                <button
                  type="button"
                  className={classes.mark}
                  aria-pressed={mark.id === selected?.id}
                  onClick={() => marks.select(mark.id)}
                >
                  {describe(mark, marks.marks)}
                </button>
              </li>
            ))}
          </ol>
        )}
      </div>
      <Stack gap="sm" className={classes.saving}>
        {hides ? (
          <Text size="sm">
            The edited picture replaces this one in every text and report. The original is sealed: no report and no
            client gets it. Your team can still open or delete it below the evidence.
          </Text>
        ) : (
          <Radio.Group
            label="Save as"
            value={replaces ? 'replace' : 'add'}
            onChange={(value) => onReplace(value === 'replace')}
          >
            <Stack gap="xs" mt={4}>
              <Radio
                value="replace"
                label="Replace this picture"
                description="Texts and reports show the edited one. The original is sealed."
              />
              <Radio value="add" label="Add a new picture" description="Texts and reports keep this one." />
            </Stack>
          </Radio.Group>
        )}
        <FormError message={error} />
        <Button onClick={onSave} loading={isSaving} disabled={isEmpty}>
          {replaces ? 'Save and seal the original' : 'Save as a new picture'}
        </Button>
      </Stack>
    </aside>
  )
}
