import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { isRefused, messageOf, reportFailure } from '../../api/api.ts'
import { registerUnsaved } from '../../ui/dialogs/unsaved.ts'
import type { OpenEditor } from '../../ui/text-editor/code-editor.ts'
import { piecesOf } from '../../ui/text-merge/passages.ts'
import { type TextDraft, type Texts, useTextDraft } from './text-drafts.ts'

const QUIET_MS = 2_000
const RETRY_MS = 5_000
/** Keeps the first and the last of the unanswered texts. */
const MAX_UNANSWERED = 4

export type SaveState = 'saved' | 'typing' | 'saving' | 'waiting' | 'conflict' | 'refused'

/** One version of the texts on the server. */
export interface StoredTexts<S extends string> {
  revision: number
  texts: Texts<S>
  /** Who saved it. */
  by?: string | undefined
  isTrashed: boolean
}

export interface AutosaveOptions<S extends string> {
  /** What the texts belong to, such as `wiki/wik_...`: names their drafts. */
  of: string
  /** The texts, each with an editor of its own. */
  sections: readonly S[]
  /** What the server has when the editors are opened. */
  stored: StoredTexts<S>
  /** Saves changed texts, merged with those that others saved since. @throws what `call` throws */
  save: (changed: Partial<Texts<S>>, baseRevision: number) => Promise<StoredTexts<S>>
  /** @throws what `call` throws */
  read: () => Promise<StoredTexts<S>>
  editors: RefObject<Map<S, OpenEditor>>
}

/** Saves texts two seconds after the last key, and keeps them in the browser until the server has stored them. */
export const useAutosave = <S extends string>(options: AutosaveOptions<S>) => {
  const { of, sections, stored, editors } = options
  const latest = useRef(options)
  latest.current = options
  const draft = useTextDraft<S>(of)
  const [state, setState] = useState<SaveState>('saved')
  const [reason, setReason] = useState('')
  const [theirs, setTheirs] = useState<StoredTexts<S>>()
  /** Sections whose overlapping edits wait for a choice. */
  const [conflicts, setConflicts] = useState<readonly S[]>([])
  /** Sections of the same conflict that have one: their editors contain the stored text. */
  const decided = useRef(new Set<S>())
  const base = useRef<Pick<StoredTexts<S>, 'revision' | 'texts'>>({ revision: stored.revision, texts: stored.texts })
  const unanswered = useRef<Texts<S>[]>([])
  const timer = useRef<number>(undefined)
  const isSaving = useRef(false)
  const running = useRef<Promise<void>>(undefined)
  /** Texts after the last key; remain after the editors are closed. */
  const typed = useRef<Texts<S>>(undefined)
  const element = useRef<HTMLDivElement>(null)
  const latestSave = useRef<() => Promise<void>>(async () => undefined)

  const textsBy = useCallback(
    (text: (section: S) => string): Texts<S> =>
      Object.fromEntries(sections.map((section) => [section, text(section)])) as Texts<S>,
    [sections],
  )
  const mine = useCallback(
    () =>
      textsBy(
        (section) => editors.current.get(section)?.text() ?? typed.current?.[section] ?? base.current.texts[section],
      ),
    [editors, textsBy],
  )
  const isSame = useCallback(
    (one: Texts<S>, other: Texts<S>) => sections.every((section) => one[section] === other[section]),
    [sections],
  )
  const hasChanges = useCallback(() => !isSame(mine(), base.current.texts), [isSame, mine])

  const keep = useCallback(() => {
    const { revision, texts } = base.current
    draft.write({
      values: { ...mine(), unanswered: unanswered.current },
      base: texts as Partial<TextDraft<S>>,
      version: String(revision),
      savedAt: new Date().toISOString(),
    })
  }, [draft, mine])

  /** The editor's text with what others saved; undefined if both changed the same lines. */
  const merged = useCallback(
    (section: S, saved: Texts<S>): string | undefined => {
      if (decided.current.has(section)) return editors.current.get(section)?.text()
      const own = mine()[section]
      // This text is ours: the save succeeded, and only its response was lost.
      if (unanswered.current.some((sent) => sent[section] === saved[section])) return own
      const pieces = piecesOf(base.current.texts[section], own, saved[section])
      return pieces.every((piece) => typeof piece === 'string') ? pieces.join('') : undefined
    },
    [editors, mine],
  )

  /**
   * Continues from a version of the server. @returns sections that need a choice first; nothing is changed if there are
   * any
   */
  const rebase = useCallback(
    (read: StoredTexts<S>): S[] => {
      const texts = sections.map((section) => [section, merged(section, read.texts)] as const)
      const open = texts.flatMap(([section, text]) => (text === undefined ? [section] : []))
      if (open.length > 0) return open
      for (const [section, text] of texts) if (text !== undefined) editors.current.get(section)?.replaceAll(text)
      base.current = { revision: read.revision, texts: read.texts }
      unanswered.current = []
      decided.current.clear()
      setTheirs(undefined)
      setConflicts([])
      return []
    },
    [editors, merged, sections],
  )

  const send = useCallback(async (): Promise<void> => {
    window.clearTimeout(timer.current)
    // Choices of a conflict are saved together.
    if (editors.current.size === 0 || !hasChanges() || decided.current.size > 0) return
    isSaving.current = true
    setState('saving')
    const sent = mine()
    let isSentAgain = false
    unanswered.current = withTexts(unanswered.current, sent, isSame)
    for (const editor of editors.current.values()) editor.beginSave()
    const later = (ms: number) => {
      timer.current = window.setTimeout(() => void latestSave.current(), ms)
    }
    try {
      const changed = sections.filter((section) => sent[section] !== base.current.texts[section])
      const saved = await latest.current.save(
        Object.fromEntries(changed.map((section) => [section, sent[section]])) as Partial<Texts<S>>,
        base.current.revision,
      )
      unanswered.current = []
      if (editors.current.size === 0) {
        // Input during the save stays in the draft. After a merge, the draft keeps the base that it was made from.
        if (isSame(mine(), sent)) draft.remove()
        else if (isSame(saved.texts, sent)) {
          base.current = { revision: saved.revision, texts: saved.texts }
          keep()
        }
        return
      }
      base.current = { revision: saved.revision, texts: saved.texts }
      for (const [section, editor] of editors.current) editor.endSave(sent[section], saved.texts[section])
      setTheirs(undefined)
      setConflicts([])
      if (hasChanges()) {
        setState('typing')
        keep()
        later(QUIET_MS)
      } else {
        setState('saved')
        draft.remove()
      }
    } catch (error) {
      reportFailure(error)
      setReason(messageOf(error))
      if (isRefused(error, 'CONFLICT')) {
        const read = await latest.current.read().catch(reportFailure)
        if (!read) {
          setState('waiting')
          later(RETRY_MS)
        } else if (read.isTrashed || read.revision === base.current.revision) setState('refused')
        else {
          const open = rebase(read)
          if (open.length > 0) {
            setTheirs(read)
            setConflicts(open)
            setState('conflict')
          } else if (hasChanges()) {
            // The server no longer has the base of this text; the browser does.
            keep()
            isSentAgain = true
          } else {
            draft.remove()
            setState('saved')
          }
        }
      } else if (isRefused(error, 'NOT_FOUND', 'FORBIDDEN', 'VALIDATION_ERROR', 'BAD_REQUEST')) setState('refused')
      else {
        setState('waiting')
        later(RETRY_MS)
      }
    } finally {
      isSaving.current = false
    }
    if (isSentAgain) await latestSave.current()
  }, [draft, editors, hasChanges, isSame, keep, mine, rebase, sections])

  const save = useCallback(async (): Promise<void> => {
    if (isSaving.current) return
    running.current = send()
    await running.current
  }, [send])

  /** Saves pending text, including input during a running save. */
  const finish = async (): Promise<void> => {
    await running.current
    await save()
  }

  const onTyped = useCallback(() => {
    typed.current = mine()
    keep()
    setState((before) => (before === 'conflict' ? before : 'typing'))
    window.clearTimeout(timer.current)
    timer.current = window.setTimeout(() => void save(), QUIET_MS)
  }, [keep, mine, save])

  /** Resolves the conflict of a section with one of the two texts, or with a third; the last one saves. */
  const resolve = (section: S, text: string) => {
    if (!theirs) return
    editors.current.get(section)?.replaceAll(text)
    decided.current.add(section)
    const left = conflicts.filter((other) => other !== section)
    const open = left.length > 0 ? left : rebase(theirs)
    if (open.length > 0) setConflicts(open)
    else if (hasChanges()) {
      keep()
      void save()
    } else {
      draft.remove()
      setState('saved')
    }
  }

  /**
   * Resumes a draft left by a crash or an expired session, based on the texts it started from. @returns the texts to
   * edit
   */
  const resume = (): Texts<S> => {
    const { found } = draft
    if (!found) return stored.texts
    base.current = {
      revision: Number(found.version),
      texts: textsBy((section) => (found.base as Partial<Texts<S>>)[section] ?? stored.texts[section]),
    }
    unanswered.current = found.values.unanswered ?? []
    return textsBy((section) => (found.values as Partial<Texts<S>>)[section] ?? stored.texts[section])
  }

  // What others save appears while there is nothing to save here; otherwise it is merged by the next save.
  useEffect(() => {
    if (
      state !== 'saved' ||
      isSaving.current ||
      editors.current.size === 0 ||
      stored.revision <= base.current.revision ||
      hasChanges()
    )
      return
    base.current = { revision: stored.revision, texts: stored.texts }
    for (const [section, editor] of editors.current) editor.replaceAll(stored.texts[section])
  }, [state, stored, editors, hasChanges])
  useEffect(() => {
    if (state === 'saved') return undefined
    return registerUnsaved({
      hasChanges,
      isSaving: () => isSaving.current,
      discard: draft.remove,
      element: () => element.current,
    })
  }, [state, hasChanges, draft.remove])
  latestSave.current = save
  useEffect(() => {
    // Saves immediately when the network returns, without waiting for the next retry.
    const saveNow = () => void latestSave.current()
    window.addEventListener('online', saveNow)
    return () => {
      window.removeEventListener('online', saveNow)
      window.clearTimeout(timer.current)
    }
  }, [])

  return {
    state,
    reason,
    /** The server's version of a conflict, and the sections that need a choice. */
    theirs,
    conflicts,
    /** The text that edits of a section started from. */
    baseOf: (section: S) => base.current.texts[section],
    /** Undefined while the draft is read. */
    draft: draft.found,
    mine,
    hasChanges,
    onTyped,
    save,
    finish,
    resolve,
    resume,
    element,
  }
}

export type Autosave<S extends string> = ReturnType<typeof useAutosave<S>>

const withTexts = <S extends string>(
  kept: Texts<S>[],
  texts: Texts<S>,
  isSame: (one: Texts<S>, other: Texts<S>) => boolean,
): Texts<S>[] => {
  const others = kept.filter((each) => !isSame(each, texts))
  // Unknown which of them the server has stored: most likely the first.
  return [...others.slice(0, 1), ...others.slice(1).slice(2 - MAX_UNANSWERED), texts]
}
