import { Text } from '@mantine/core'
import { Markdown } from '../../../ui/text/Markdown.tsx'

/** Notes of a target that cannot be edited. */
export const TargetNotes = ({ text }: { text: string }) =>
  text ? (
    <Markdown text={text} />
  ) : (
    <Text size="sm" c="dimmed">
      No notes.
    </Text>
  )
