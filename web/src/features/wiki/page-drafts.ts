import { useCallback, useEffect, useState } from 'react'
import { type Draft, draftsBelow, removeDraft, writeDraft } from '../../forms/drafts.ts'
import { useMaybeAccount } from '../../shell/session.tsx'

/** What is kept in the browser of a text that is not saved. */
export interface PageDraft {
  body: string
  /** Texts whose saving was not answered: the server may have one of them. */
  unanswered: string[]
}

/** A draft that no open editor writes: what a crash, an ended session or a closed page left. */
export interface LeftDraft {
  object: string
  draft: Draft<PageDraft>
}

/** Drafts of editors that this tab has closed. Their locks may not be free yet. */
const closed = new Set<string>()
/** Drafts that another editor of this tab goes on with, or that were discarded: a save that ends late writes nothing there. */
const taken = new Set<string>()

const lockOf = (object: string): string => `sortie.draft.${object}`

/** The drafts of a page that nobody writes at this moment, the newest first. */
export const leftDrafts = async (userId: string, pageId: string): Promise<LeftDraft[]> => {
  // Browsers have no locks on pages that came over plain HTTP.
  const { held = [] } = (await navigator.locks?.query()) ?? {}
  const names = new Set(held.map(({ name }) => name))
  const found = await draftsBelow<PageDraft>(userId, `wiki/${pageId}`)
  return found.filter(({ object }) => closed.has(object) || !names.has(lockOf(object))).toSorted((a, b) => b.draft.savedAt.localeCompare(a.draft.savedAt))
}

export const dropDraft = (userId: string, { object }: LeftDraft): void => {
  taken.add(object)
  removeDraft(userId, object)
}

/**
 * The draft of one editor: each tab has one of its own, so that a save in one tab takes nothing from another. It begins with
 * the newest that was left.
 */
export const usePageDraft = (pageId: string) => {
  const userId = useMaybeAccount()?.id
  const [object] = useState(() => `wiki/${pageId}/${Date.now()}-${Math.random()}`)
  /** Undefined while it is read; null where there is none. */
  const [found, setFound] = useState<Draft<PageDraft> | null>()
  useEffect(() => {
    if (userId === undefined) {
      setFound(null)
      return undefined
    }
    const ending = new AbortController()
    closed.delete(object)
    void navigator.locks?.request(lockOf(object), () => untilAborted(ending.signal))
    void leftDrafts(userId, pageId).then(([newest]) => {
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
  }, [userId, pageId, object])
  const write = useCallback(
    (draft: Draft<PageDraft>) => {
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
