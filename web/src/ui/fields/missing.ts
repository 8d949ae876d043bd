import { createContext } from 'react'

/** Why the form around was not sent; undefined before an attempt. */
export const Missing = createContext<string | undefined>(undefined)

type Field = HTMLInputElement | HTMLTextAreaElement

const TEXT_FIELDS = 'input:is([type="text"], [type="email"], [type="password"], [type="url"], :not([type])), textarea'

/**
 * The empty text field that bars a form: the first field, or after a change of any field the first one that is empty.
 * Without a change an edit form has nothing to save, and its empty fields are optional.
 */
export const firstMissing = (form: HTMLFormElement | null, isTouched: boolean): Field | undefined => {
  const fields = [...(form?.querySelectorAll<Field>(TEXT_FIELDS) ?? [])].filter(
    (field) => !field.disabled && !field.readOnly && labelOf(field) !== '',
  )
  return (isTouched ? fields : fields.slice(0, 1)).find(({ value }) => value.trim() === '')
}

export const labelOf = (field: Field): string => field.labels?.[0]?.textContent.trim() ?? field.ariaLabel ?? ''
