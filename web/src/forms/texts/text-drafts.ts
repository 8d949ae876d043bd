import { useCallback, useEffect, useState } from 'react'
import { useMaybeAccount } from '../../shell/context/session.tsx'
import { type Draft, draftsBelow, removeDraft, writeDraft } from '../drafts/drafts.ts'

export type Texts<S extends string> = Record<S, string>

/** Unsaved texts in the browser, by the names of their sections. */
export type TextDraft<S extends string> = Texts<S> & {
  /** Texts whose save got no response: the server may have stored one of them. */
  unanswered: Texts<S>[]
}

/** A draft without an open editor, left by a crash, an expired session or a closed page. */
export interface LeftDraft<S extends string> {
  object: string
  draft: Draft<TextDraft<S>>
}

/** Drafts of editors that this tab has closed. Their locks may still be held. */
const closed = new Set<string>()
/**
 * Drafts that another editor of this tab continues, or that were discarded. A save that finishes late must not write
 * them.
 */
const taken = new Set<string>()

const lockOf = (object: string): string => `sortie.draft.${object}`

/** Drafts without an active editor, newest first. @param of what the texts belong to, such as `wiki/wik_...` */
export const leftDrafts = async <S extends string>(userId: string, of: string): Promise<LeftDraft<S>[]> => {
  // Browsers do not provide locks on pages served over plain HTTP.
  const { held = [] } = (await navigator.locks?.query()) ?? {}
  const names = new Set(held.map(({ name }) => name))
  const found = await draftsBelow<TextDraft<S>>(userId, of)
  return found
    .filter(({ object }) => closed.has(object) || !names.has(lockOf(object)))
    .toSorted((a, b) => b.draft.savedAt.localeCompare(a.draft.savedAt))
}

export const dropDraft = (userId: string, { object }: { object: string }): void => {
  taken.add(object)
  removeDraft(userId, object)
}

/**
 * The draft of one editor. Each tab has its own, so that a save in one tab does not delete text of another. Starts from
 * the newest draft left behind.
 */
export const useTextDraft = <S extends string>(of: string) => {
  const userId = useMaybeAccount()?.id
  const [object] = useState(() => `${of}/${Date.now()}-${Math.random()}`)
  /** Undefined while loading; null if there is none. */
  const [found, setFound] = useState<Draft<TextDraft<S>> | null>()
  useEffect(() => {
    if (userId === undefined) {
      setFound(null)
      return undefined
    }
    const ending = new AbortController()
    closed.delete(object)
    void navigator.locks?.request(lockOf(object), () => untilAborted(ending.signal))
    void leftDrafts<S>(userId, of).then(([newest]) => {
      if (ending.signal.aborted) return
      if (newest) {
        writeDraft(userId, object, newest.draft)
        dropDraft(userId, newest)
      }
      setFound(newest?.draft ?? null)
    })
    return () => {
      closed.add(object)
      ending.abort()
    }
  }, [userId, of, object])
  const write = useCallback(
    (draft: Draft<TextDraft<S>>) => {
      if (userId !== undefined && !taken.has(object)) writeDraft(userId, object, draft)
    },
    [userId, object],
  )
  const remove = useCallback(() => {
    if (userId !== undefined) removeDraft(userId, object)
  }, [userId, object])
  return { found, write, remove }
}

const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve())
  })
