import { Stack, Textarea, type TextareaProps } from '@mantine/core'
import { useDeferredValue } from 'react'
import { Markdown } from '../../../../ui/text/Markdown.tsx'

/** Notes of a request: the Markdown field with its preview below. */
export const NotesField = ({ isReadOnly, text, ...input }: TextareaProps & { text: string; isReadOnly: boolean }) => {
  const shown = useDeferredValue(text)
  return (
    <Stack gap="sm">
      {!isReadOnly && (
        <Textarea
          label="Notes"
          description="Markdown"
          autosize
          minRows={4}
          maxRows={16}
          maxLength={100_000}
          {...input}
        />
      )}
      {shown.trim() !== '' && (
        <section aria-label="Notes preview">
          <Markdown text={shown} />
        </section>
      )}
    </Stack>
  )
}
