import { useShortcuts } from '../../../ui/commands/commands.ts'
import type { CommentQueue } from './use-comment-queue.ts'

interface CommentKeys {
  mayChange: boolean
  /** Called after a move, to show the comments. */
  onMove?: () => void
  /** J and K walk through the open comments; not where they move between sections. */
  walks?: boolean
}

/** Keys that work through the open comments: J and K, A and R. */
export const useCommentKeys = (queue: CommentQueue, { mayChange, onMove, walks = true }: CommentKeys): void => {
  const walk = (by: number) => {
    queue.move(by)
    onMove?.()
  }
  useShortcuts([
    ...(walks
      ? [
          { id: 'comment-next', label: 'Next open comment', group: 'Comments', shortcut: 'j', run: () => walk(1) },
          {
            id: 'comment-previous',
            label: 'Previous open comment',
            group: 'Comments',
            shortcut: 'k',
            run: () => walk(-1),
          },
        ]
      : []),
    ...(mayChange
      ? [
          {
            id: 'comment-accept',
            label: 'Accept the suggestion',
            group: 'Comments',
            shortcut: 'a',
            run: queue.acceptActive,
          },
          {
            id: 'comment-resolve',
            label: 'Resolve the comment',
            group: 'Comments',
            shortcut: 'r',
            run: queue.resolveActive,
          },
        ]
      : []),
  ])
}
