import { Button, Kbd, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { ListSkeleton } from '../../../ui/feedback/ListSkeleton.tsx'
import { QueryView } from '../../reads/QueryView.tsx'
import type { Comment } from '../comment-parent.ts'
import { Resolved } from '../Comments.tsx'
import { OneComment } from '../OneComment.tsx'
import type { Quotable, WantedQuote } from './quotable.ts'
import { QuoteForm } from './QuoteForm.tsx'
import classes from './quotes.module.css'
import { type CommentQueue, TEXT_CHANGED } from './use-comment-queue.ts'

interface CommentsPanelProps {
  of: Quotable
  queue: CommentQueue
  mayWrite: boolean
  wanted: WantedQuote | undefined
  /** Above the form, such as a button that quotes what is selected. */
  tools?: ReactNode
  /** Shows the words of a comment in their text. */
  onShow?: (section: string, quote: string) => void
}

/** The comments on an object, next to its texts. */
export const CommentsPanel = ({ of, queue, mayWrite, wanted, tools, onShow }: CommentsPanelProps) => {
  const one = (comment: Comment) => {
    const isOpen = comment.resolved === null
    return (
      <OneComment
        key={comment.id}
        parent={of.parent}
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
        <Quote of={of} comment={comment} {...(onShow && { onShow })} />
      </OneComment>
    )
  }
  return (
    <Stack gap="md" component="aside" aria-label="Comments">
      {mayWrite && tools}
      {mayWrite && <QuoteForm of={of} wanted={wanted} />}
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

interface QuoteProps extends Pick<CommentsPanelProps, 'of' | 'onShow'> {
  comment: Comment
}

/** The words that a comment is about, and those that should replace them. */
const Quote = ({ of, comment: { anchor, suggestion, textChanged, resolved }, onShow }: QuoteProps) => {
  if (!anchor) return null
  const { section, quote } = anchor
  const text = of.texts.find(({ name }) => name === section)
  const label = text ? text.label : 'A section that was deleted'
  return (
    <div className={classes.quoted}>
      {onShow && text ? (
        <button type="button" className={classes.place} onClick={() => onShow(section, quote)}>
          {label}
        </button>
      ) : (
        <Text size="xs" c="dimmed">
          {label}
        </Text>
      )}
      {quote !== '' && (
        <blockquote className={classes.quote}>
          {suggestion === null ? (
            quote
          ) : (
            <>
              <del className={classes.removed}>{quote}</del>
              {suggestion !== '' && <ins className={classes.added}>{suggestion}</ins>}
            </>
          )}
        </blockquote>
      )}
      {textChanged && resolved === null && (
        <Text size="xs" role="note" className={classes.changed}>
          {TEXT_CHANGED}
        </Text>
      )}
    </div>
  )
}
