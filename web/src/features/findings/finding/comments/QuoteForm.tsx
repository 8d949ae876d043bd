import { Checkbox, Textarea } from '@mantine/core'
import { useEffect, useState } from 'react'
import { PageForm } from '../../../../forms/Form.tsx'
import { useDraftForm } from '../../../../forms/use-draft-form.ts'
import { useSendComment } from '../../../../shell/comments/CommentForm.tsx'
import { MentionTextarea } from '../../../../shell/comments/MentionTextarea.tsx'
import { useMembersWithAccess } from '../../../../shell/context/use-members-with-access.ts'
import { Choice } from '../../../../ui/fields/Choice.tsx'
import { toastError } from '../../../../ui/toasts/toast.ts'
import type { Finding } from '../../labels.ts'
import { EDITED_SECTIONS, type Section } from '../texts/sections.ts'
import { MAX_QUOTE } from './quotes.ts'

/** Words to comment on; a new object for each time. */
export interface WantedQuote {
  section: Section | ''
  quote: string
  isSuggestion: boolean
}

interface Values extends Record<string, unknown> {
  body: string
  /** Empty: the comment is on the whole finding. */
  section: Section | ''
  quote: string
  /** null: no change is suggested. */
  replacement: string | null
}

const EMPTY: Values = { body: '', section: '', quote: '', replacement: null }
const ABOUT = [
  { value: '', label: 'The whole finding' },
  ...EDITED_SECTIONS.map(({ name, label }) => ({ value: name, label })),
]
const FIELD = { autosize: true, minRows: 1, maxRows: 12 } as const

/** Writes a comment on the finding, on some of its words, or a suggestion for them. */
export const QuoteForm = ({ finding, wanted }: { finding: Finding; wanted: WantedQuote | undefined }) => {
  const people = useMembersWithAccess(finding.engagementId)
  const post = useSendComment({ type: 'finding', id: finding.id, engagementId: finding.engagementId })
  const form = useDraftForm<Values>({
    draft: `finding/${finding.id}/comment`,
    saved: { values: EMPTY },
    validate: {
      quote: (quote, { section }) =>
        section !== '' && !finding[section].includes(quote) ? 'The text does not contain these words.' : null,
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
  const isIncomplete = section !== '' && quote === ''
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
        data={ABOUT}
        value={section}
        onChange={(value) => {
          const chosen = value as Section | ''
          form.setValues(chosen === '' ? { section: chosen, quote: '', replacement: null } : { section: chosen })
        }}
      />
      {section !== '' && (
        <>
          <Textarea label="Quoted words" {...FIELD} maxLength={MAX_QUOTE} {...form.getInputProps('quote')} />
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
