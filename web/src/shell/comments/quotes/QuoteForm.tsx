import { Checkbox, Textarea } from '@mantine/core'
import { useEffect, useState } from 'react'
import { PageForm } from '../../../forms/Form.tsx'
import { useDraftForm } from '../../../forms/use-draft-form.ts'
import { Choice } from '../../../ui/fields/Choice.tsx'
import { toastError } from '../../../ui/toasts/toast.ts'
import { useMembersWithAccess } from '../../context/use-members-with-access.ts'
import { useSendComment } from '../CommentForm.tsx'
import { MentionTextarea } from '../MentionTextarea.tsx'
import { MAX_QUOTE, type Quotable, type WantedQuote } from './quotable.ts'

interface Values extends Record<string, unknown> {
  body: string
  /** Name of a text; empty: the comment is on the whole object. */
  section: string
  quote: string
  /** null: no change is suggested. */
  replacement: string | null
}

const EMPTY: Values = { body: '', section: '', quote: '', replacement: null }
const FIELD = { autosize: true, minRows: 1, maxRows: 12 } as const

/** Writes a comment on an object, on some of its words, or a suggestion for them. */
export const QuoteForm = ({ of, wanted }: { of: Quotable; wanted: WantedQuote | undefined }) => {
  const { parent, texts } = of
  const people = useMembersWithAccess(parent.engagementId)
  const post = useSendComment(parent)
  const form = useDraftForm<Values>({
    draft: `${parent.type}/${parent.id}/comment`,
    saved: { values: EMPTY },
    validate: {
      quote: (quote, { section }) =>
        section !== '' && !texts.find(({ name }) => name === section)?.text.includes(quote)
          ? 'The text does not contain these words.'
          : null,
    },
    send: ({ body, section, quote, replacement }) =>
      post({
        body,
        ...(section !== '' && { anchor: { section, quote }, ...(replacement !== null && { suggestion: replacement }) }),
      }),
    savedBy: () => ({ values: EMPTY }),
  })
  const { body, section, quote, replacement } = form.values
  /** Field that gets the focus after the form was filled. */
  const [focused, setFocused] = useState<{ name: string }>()
  useEffect(() => {
    if (!wanted) return
    const typed = form.getValues()
    if (
      wanted.section !== '' &&
      typed.replacement !== null &&
      typed.replacement !== typed.quote &&
      typed.quote !== wanted.quote
    ) {
      toastError('First send or clear the suggestion that you have started.')
    } else if (wanted.section !== '') {
      form.setValues({
        section: wanted.section,
        quote: wanted.quote,
        replacement: wanted.isSuggestion ? wanted.quote : null,
      })
      form.clearErrors()
    }
    setFocused({ name: wanted.isSuggestion ? 'replacement' : 'body' })
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once for each wanted quote
  }, [wanted])
  useEffect(() => {
    const field = focused && form.ref.current?.querySelector<HTMLTextAreaElement>(`[name="${focused.name}"]`)
    field?.focus()
    field?.setSelectionRange(field.value.length, field.value.length)
  }, [focused, form.ref])
  const isIncomplete = section !== '' && quote === '' && (replacement !== null || !of.allowsWholeText)
  const hasNothing = replacement === null ? !body.trim() : replacement === quote
  return (
    <PageForm
      form={form}
      submitLabel={replacement === null ? 'Comment' : 'Suggest'}
      disabled={isIncomplete || hasNothing}
      isSecondary
    >
      <Choice
        label="About"
        data={[{ value: '', label: of.whole }, ...texts.map(({ name, label }) => ({ value: name, label }))]}
        value={section}
        onChange={(chosen) =>
          form.setValues(chosen === '' ? { section: chosen, quote: '', replacement: null } : { section: chosen })
        }
      />
      {section !== '' && (
        <>
          <Textarea
            label="Quoted words"
            {...(of.allowsWholeText && { description: 'Empty: the comment is on the whole section.' })}
            {...FIELD}
            maxLength={MAX_QUOTE}
            {...form.getInputProps('quote')}
          />
          <Checkbox
            label="Suggest a change"
            checked={replacement !== null}
            onChange={({ currentTarget }) => form.setValues({ replacement: currentTarget.checked ? quote : null })}
          />
          {replacement !== null && (
            <Textarea
              label="Replacement"
              name="replacement"
              {...FIELD}
              maxLength={20_000}
              value={replacement}
              onChange={({ currentTarget }) => form.setValues({ replacement: currentTarget.value })}
            />
          )}
        </>
      )}
      <MentionTextarea
        label="New comment"
        description={
          replacement === null ? 'Markdown. Use @ to mention someone, who will be notified.' : 'Optional: why.'
        }
        autosize
        minRows={2}
        maxRows={20}
        people={people}
        {...form.getInputProps('body')}
        name="body"
        value={body}
      />
    </PageForm>
  )
}
