/** A form with unsaved changes; registered for as long as it has some. */
export interface UnsavedForm {
  /** Current state, also between two renders. */
  hasChanges: () => boolean
  /** True during a save: no question is asked, and the draft stays until the save succeeds. */
  isSaving: () => boolean
  /** Discards the changes and their draft. */
  discard: () => void
  element: () => HTMLElement | null
}

interface Question {
  answer: (isDiscarded: boolean) => void
  answered: Promise<boolean>
}

const forms = new Set<UnsavedForm>()
const listeners = new Set<() => void>()
let question: Question | undefined
let isUnloadFree = false

const tell = (): void => {
  for (const listener of listeners) listener()
}

/** For useSyncExternalStore: called when a form registers or unregisters, and when a question is asked or answered. */
export const onUnsavedChange = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** @returns unregister function */
export const registerUnsaved = (form: UnsavedForm): (() => void) => {
  forms.add(form)
  tell()
  return () => {
    forms.delete(form)
    tell()
  }
}

export const hasRegistered = (): boolean => forms.size > 0
export const pendingQuestion = (): Question | undefined => question

/** True if the browser should ask before close or reload. */
export const mustAskBeforeUnload = (): boolean => !isUnloadFree && [...forms].some((form) => form.hasChanges())

/** True if a form inside this element is being saved. */
export const isSavingWithin = (element: Element): boolean =>
  [...forms].some((form) => form.isSaving() && element.contains(form.element()))

/**
 * Asks the user once whether to discard the changes, and discards them on confirmation.
 * @param within limits the check to forms inside this element; default: the whole page
 * @returns true if the page may be left
 */
export const confirmDiscard = async (within?: Element | null): Promise<boolean> => {
  const changed = [...forms].filter(
    (form) => form.hasChanges() && !form.isSaving() && (!within || within.contains(form.element())),
  )
  if (changed.length === 0) return true
  const isDiscarded = await ask()
  if (isDiscarded) for (const form of changed) form.discard()
  return isDiscarded
}

const ask = (): Promise<boolean> => {
  if (question) return question.answered
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const answer = (isDiscarded: boolean) => {
    question = undefined
    tell()
    resolve(isDiscarded)
  }
  question = { answer, answered: promise }
  tell()
  return promise
}

/**
 * Lets the page be left without a question: for a way out and back, as to the identity provider. Drafts bring the text
 * back.
 */
export const allowUnload = (): void => {
  isUnloadFree = true
  // Back can restore this page from the browser's cache.
  window.addEventListener('pageshow', () => (isUnloadFree = false), { once: true })
}
