import { type FormRulesRecord, type UseFormReturnType, useForm } from '@mantine/form'
import { useEffect, useRef, useState } from 'react'
import { formErrors, isRefused } from '../api/api.ts'
import { registerUnsaved } from '../ui/dialogs/unsaved.ts'
import { fitting, isSame, type Values, withoutFields } from './conflict/merge.ts'
import { useStoredDraft } from './drafts/use-stored-draft.ts'
import { useOnChange } from './use-on-change.ts'

/** Values on the server, with `updatedAt` if saving checks it. */
export interface Saved<V> {
  values: V
  version?: string | undefined
}

export interface DraftFormOptions<V extends Values, Answer> {
  /** Name of the object in the user's drafts, such as `engagement/eng_...`. Absent: no input is stored. */
  draft?: string
  /** Values to edit, or initial values of a new object. */
  saved: Saved<V>
  /** Fields that are never stored, such as passwords, codes and keys. They do not count as changes either. */
  secrets?: readonly (keyof V)[]
  validate?: FormRulesRecord<V, V>
  /** Sends the values. `version` is the base version of the changes, for `ifUpdatedAt`. @throws what `call` throws */
  send: (values: V, version: string | undefined) => Promise<Answer>
  /** Saved values from the response, for a form that stays open; default: the values that were sent. */
  savedBy?: (answer: Answer) => Saved<V>
  /** Called after a successful save. The form then counts as saved and may be left. */
  onSaved?: (answer: Answer, values: V) => void | Promise<void>
  /** Rereads the saved values after a save was refused because of a concurrent change. @throws what `call` throws */
  reread?: () => Promise<Saved<V>>
}

/** A concurrent change by another user. */
export interface Conflict<V> {
  base: V
  theirs: V
  version: string | undefined
}

export interface DraftForm<V extends Values> extends Omit<UseFormReturnType<V>, 'onSubmit' | 'submitting'> {
  /** The values differ from the saved ones. */
  hasChanges: boolean
  isSaving: boolean
  /** Error that belongs to no field. */
  message: string | undefined
  /** An earlier draft: applied to the form, or only offered if the user started typing before it was read. */
  restored: { savedAt: string; isShown: boolean } | undefined
  /** Applies the offered draft to the form. */
  showDraft: () => void
  conflict: Conflict<V> | undefined
  save: () => Promise<void>
  /** Saves these values on top of their version. */
  resolve: (merged: V) => Promise<void>
  /** Resets to the saved values and removes the draft. */
  discard: () => void
  /** For the form element: identifies the dialog that contains it. */
  ref: React.RefObject<HTMLFormElement | null>
}

/** How often a form is sent, if others save other fields meanwhile. */
const MAX_ATTEMPTS = 5

/**
 * A form that keeps the user's input as a draft: see docs/web.md. Values are compared as JSON, so fields are text,
 * numbers, booleans, null, and lists or objects of those.
 */
export const useDraftForm = <V extends Values, Answer = unknown>(
  options: DraftFormOptions<V, Answer>,
): DraftForm<V> => {
  const { saved, secrets = [], send, savedBy, onSaved, reread, validate } = options
  const ref = useRef<HTMLFormElement>(null)
  const form = useForm<V>({ initialValues: saved.values, ...(validate && { validate }) })
  const base = useRef(saved)
  const stored = useStoredDraft<V>(options.draft)
  const isSending = useRef(false)
  const [isSaving, setSaving] = useState(false)
  const [message, setMessage] = useState<string>()
  const [conflict, setConflict] = useState<Conflict<V>>()
  const [restored, setRestored] = useState<DraftForm<V>['restored']>()

  const open = (values: V): V => withoutFields(values, secrets)
  const differs = (): boolean => !isSame(open(form.getValues()), open(base.current.values))
  const hasChanges = differs()

  const showDraft = () => {
    if (!stored.found) return
    base.current = { values: fitting(base.current.values, stored.found.base), version: stored.found.version }
    form.setValues(fitting(form.getValues(), stored.found.values))
    setRestored({ savedAt: stored.found.savedAt, isShown: true })
  }
  useOnChange(stored.found?.savedAt, () => {
    if (!stored.found || isSame(fitting(saved.values, stored.found.values), saved.values)) return stored.remove()
    if (differs()) return setRestored({ savedAt: stored.found.savedAt, isShown: false })
    return showDraft()
  })

  // Shows changes by others immediately, unless the form has changes; then saving reports the conflict.
  useOnChange([saved.values, saved.version], () => {
    if (differs()) return
    base.current = saved
    form.setValues(saved.values)
  })

  const isRead = stored.found !== undefined
  useOnChange([open(form.values), isRead], () => {
    if (!isRead) return
    if (!differs()) return stored.remove()
    const { values, version } = base.current
    return stored.write({
      values: open(form.getValues()),
      base: open(values),
      version,
      savedAt: new Date().toISOString(),
    })
  })

  const settle = (now: Saved<V>) => {
    base.current = now
    stored.remove()
    setRestored(undefined)
    setConflict(undefined)
    setMessage(undefined)
  }
  const discard = () => {
    settle(saved)
    form.setValues(saved.values)
    form.clearErrors()
  }
  const latest = useRef({ differs, discard })
  latest.current = { differs, discard }
  useEffect(() => {
    if (!hasChanges) return undefined
    return registerUnsaved({
      hasChanges: () => latest.current.differs(),
      isSaving: () => isSending.current,
      discard: () => latest.current.discard(),
      element: () => ref.current,
    })
  }, [hasChanges])

  const refuse = async (error: unknown): Promise<void> => {
    if (reread && isRefused(error, 'CONFLICT')) {
      const now = await reread()
      if (now.version !== base.current.version)
        return setConflict({ base: base.current.values, theirs: now.values, version: now.version })
    }
    const { fields, form: rest } = formErrors(error, Object.keys(saved.values))
    form.setErrors(fields)
    setMessage(rest)
  }
  /** If concurrent changes touched no field of this form, saves on top of them without asking. */
  const sendOnTop = async (values: V): Promise<Answer> => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await send(values, base.current.version)
      } catch (error) {
        // Other fields may be saved one after another, also by this user.
        const now = attempt < MAX_ATTEMPTS && reread && isRefused(error, 'CONFLICT') ? await reread() : undefined
        if (!now || now.version === base.current.version || !isSame(now.values, base.current.values)) throw error
        base.current = now
      }
    }
  }
  const save = async (): Promise<void> => {
    if (isSending.current || form.validate().hasErrors) return
    isSending.current = true
    setSaving(true)
    setMessage(undefined)
    const values = form.getValues()
    try {
      const answer = await sendOnTop(values)
      settle(savedBy?.(answer) ?? { values, version: base.current.version })
      if (isSame(form.getValues(), values)) form.setValues(base.current.values)
      await onSaved?.(answer, values)
    } catch (error) {
      await refuse(error).catch(refuseAgain)
    } finally {
      isSending.current = false
      setSaving(false)
    }
  }
  /** The saved values cannot be reread either. */
  const refuseAgain = (error: unknown) => setMessage(formErrors(error, []).form)
  const resolve = async (merged: V): Promise<void> => {
    if (!conflict) return
    base.current = { values: conflict.theirs, version: conflict.version }
    form.setValues(merged)
    setConflict(undefined)
    await save()
  }

  const { onSubmit: _, submitting: __, ...fields } = form
  return { ...fields, hasChanges, isSaving, message, restored, showDraft, conflict, save, resolve, discard, ref }
}
