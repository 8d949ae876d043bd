import { useShortcuts } from '../../../../ui/commands/commands.ts'
import type { CommentQueue } from './use-comment-queue.ts'

/**
 * Keys that work through the open comments: J and K, A and R.
 *
 * @param onMove called after a move, to show the comments
 */
export const useCommentKeys = (queue: CommentQueue, mayChange: boolean, onMove: () => void = () => undefined): void => {
  const walk = (by: number) => {
    queue.move(by)
    onMove()
  }
  useShortcuts([
    { id: 'comment-next', label: 'Next open comment', group: 'Comments', shortcut: 'j', run: () => walk(1) },
    { id: 'comment-previous', label: 'Previous open comment', group: 'Comments', shortcut: 'k', run: () => walk(-1) },
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
