import { Button, Group } from '@mantine/core'
import { type MouseEvent, type RefObject, useState } from 'react'
import { CommentsPanel } from '../../../shell/comments/quotes/CommentsPanel.tsx'
import { MAX_QUOTE, startOfQuote, type WantedQuote } from '../../../shell/comments/quotes/quotable.ts'
import { useCommentKeys } from '../../../shell/comments/quotes/use-comment-keys.ts'
import { IconMessage, IconPencil } from '../../../ui/page-icons.tsx'
import type { OpenEditor } from '../../../ui/text-editor/code-editor.ts'
import { toastError } from '../../../ui/toasts/toast.ts'
import classes from '../reports.module.css'
import type { ReportComments } from './use-report-comments.ts'

interface CommentsPaneProps extends ReportComments {
  shownId: string | undefined
  mayChange: boolean
  /** What is selected in the open text. */
  selectionRef: RefObject<OpenEditor['selection'] | undefined>
  /** Saves the open text: quotes are of the stored one. */
  save: () => Promise<void>
  /** Opens a section, and selects words of it. */
  onOpen: (sectionId: string, words?: string) => Promise<void>
}

/** The comments on a report and its sections. */
export const CommentsPane = ({ of, queue, shownId, mayChange, selectionRef, save, onOpen }: CommentsPaneProps) => {
  const [wanted, setWanted] = useState<WantedQuote>()
  useCommentKeys(queue, { mayChange, walks: false })
  const quote = async (isSuggestion: boolean) => {
    const words = selectedIn(selectionRef.current?.())
    if (words === undefined || shownId === undefined) return toastError('Select words of the text first.')
    if (words.length > MAX_QUOTE) return toastError('Select at most 5,000 characters.')
    await save()
    return setWanted({ section: shownId, quote: words, isSuggestion })
  }
  return (
    <div className={classes.comments}>
      <CommentsPanel
        of={of}
        queue={queue}
        mayWrite={mayChange}
        wanted={wanted}
        onShow={(section, words) => void onOpen(section, words || undefined)}
        tools={
          // The buttons must not take the selection.
          <Group gap={4} role="toolbar" aria-label="Selected words">
            <Button
              size="compact-sm"
              variant="default"
              leftSection={<IconMessage size={14} aria-hidden />}
              onMouseDown={keepSelection}
              onClick={() => void quote(false)}
            >
              Comment on the selected words
            </Button>
            <Button
              size="compact-sm"
              variant="default"
              leftSection={<IconPencil size={14} aria-hidden />}
              onMouseDown={keepSelection}
              onClick={() => void quote(true)}
            >
              Suggest a change
            </Button>
          </Group>
        }
      />
    </div>
  )
}

const keepSelection = (event: MouseEvent) => event.preventDefault()

/** The selected words without white space around them, longer where they also occur earlier. */
const selectedIn = (selection: ReturnType<OpenEditor['selection']> | undefined): string | undefined => {
  if (!selection) return undefined
  const { text, from, to } = selection
  const words = text.slice(from, to)
  if (words.trim() === '') return undefined
  const start = from + (words.length - words.trimStart().length)
  const end = from + words.trimEnd().length
  return text.slice(startOfQuote(text, start, end), end)
}
