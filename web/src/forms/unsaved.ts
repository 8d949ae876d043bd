/** A form with changes that are not saved. It registers while it has some. */
export interface UnsavedForm {
  /** Whether it has changes at this moment, also between two renderings. */
  hasChanges: () => boolean
  /** Whether they are on their way to the server: nothing is asked then, and the draft stays until they are there. */
  isSaving: () => boolean
  /** Gives the changes up, and their draft with them. */
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

/** For useSyncExternalStore: told when a form registers or leaves, and when a question is asked or answered. */
export const onUnsavedChange = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** @returns what ends the registration */
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

/** Whether the browser should ask before the page is closed or loaded anew. */
export const mustAskBeforeUnload = (): boolean => !isUnloadFree && [...forms].some((form) => form.hasChanges())

/** Whether a form inside of this element waits for the server's answer. */
export const isSavingWithin = (element: Element): boolean => [...forms].some((form) => form.isSaving() && element.contains(form.element()))

/**
 * Asks the person, once, whether the changes are given up, and gives them up if so.
 *
 * @param within only forms inside of this element count; all of the page when left out
 * @returns whether nothing stands in the way of leaving
 */
export const confirmDiscard = async (within?: Element | null): Promise<boolean> => {
  const changed = [...forms].filter((form) => form.hasChanges() && !form.isSaving() && (!within || within.contains(form.element())))
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

/** Lets the page be left without a question: for a way out and back, as to the identity provider. Drafts bring the text back. */
export const allowUnload = (): void => {
  isUnloadFree = true
  // Back leads to this same page again, where the browser has kept it.
  window.addEventListener('pageshow', () => (isUnloadFree = false), { once: true })
}
