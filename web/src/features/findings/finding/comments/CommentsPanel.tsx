import { Button, Kbd, Stack, Text } from '@mantine/core'
import type { Comment } from '../../../../shell/comments/comment-parent.ts'
import { Resolved } from '../../../../shell/comments/Comments.tsx'
import { OneComment } from '../../../../shell/comments/OneComment.tsx'
import { QueryView } from '../../../../shell/reads/QueryView.tsx'
import { ListSkeleton } from '../../../../ui/feedback/ListSkeleton.tsx'
import type { Finding } from '../../labels.ts'
import { labelOfSection } from '../texts/sections.ts'
import classes from './comments.module.css'
import { QuoteForm, type WantedQuote } from './QuoteForm.tsx'
import { type CommentQueue, TEXT_CHANGED } from './use-comment-queue.ts'

interface CommentsPanelProps {
  finding: Finding
  queue: CommentQueue
  mayWrite: boolean
  wanted: WantedQuote | undefined
}

/** The comments on a finding, next to its texts. */
export const CommentsPanel = ({ finding, queue, mayWrite, wanted }: CommentsPanelProps) => {
  const one = (comment: Comment) => {
    const isOpen = comment.resolved === null
    return (
      <OneComment
        key={comment.id}
        parent={queue.parent}
        comment={comment}
        mayWrite={mayWrite}
        isActive={comment.id === queue.active?.id}
        {...(isOpen && { onActivate: () => queue.activate(comment.id) })}
        actions={
          isOpen &&
          comment.suggestion !== null &&
          !comment.textChanged && (
            <Button
              variant="light"
              size="compact-xs"
              loading={queue.accepting === comment.id}
              rightSection={
                <Kbd size="xs" aria-hidden>
                  A
                </Kbd>
              }
              onClick={() => queue.accept(comment)}
            >
              Accept
            </Button>
          )
        }
      >
        <Quote comment={comment} />
      </OneComment>
    )
  }
  return (
    <Stack gap="md" component="aside" aria-label="Comments">
      {mayWrite && <QuoteForm finding={finding} wanted={wanted} />}
      <QueryView query={queue.read} skeleton={<ListSkeleton rows={2} />}>
        {() => (
          <div>
            {queue.open.length === 0 && (
              <Text size="sm" c="dimmed">
                No open comments.{mayWrite && ' Select words of a text to comment on them.'}
              </Text>
            )}
            {queue.open.map(one)}
            <Resolved ids={queue.resolved.map(({ id }) => id)}>{() => queue.resolved.map(one)}</Resolved>
          </div>
        )}
      </QueryView>
    </Stack>
  )
}

/** The words that a comment is about, and those that should replace them. */
const Quote = ({ comment: { anchor, suggestion, textChanged, resolved } }: { comment: Comment }) => {
  if (!anchor) return null
  return (
    <div className={classes.quoted}>
      <Text size="xs" c="dimmed">
        {labelOfSection(anchor.section)}
      </Text>
      <blockquote className={classes.quote}>
        {suggestion === null ? (
          anchor.quote
        ) : (
          <>
            <del className={classes.removed}>{anchor.quote}</del>
            {suggestion !== '' && <ins className={classes.added}>{suggestion}</ins>}
          </>
        )}
      </blockquote>
      {textChanged && resolved === null && (
        <Text size="xs" role="note" className={classes.changed}>
          {TEXT_CHANGED}
        </Text>
      )}
    </div>
  )
}
