import { useCallback, useEffect, useRef, useState } from 'react'
import { useMaybeAccount } from '../../shell/context/session.tsx'
import { type Draft, readDraft, removeDraft, writeDraft } from './drafts.ts'

/** The draft of one object, for the signed-in user. */
export interface StoredDraft<V> {
  /** Undefined while loading; null if there is none. */
  found: Draft<V> | null | undefined
  write: (draft: Draft<V>) => void
  remove: () => void
}

/**
 * Reads the draft once and returns functions to write it. Keeps nothing without a signed-in user.
 * @param object undefined for a form without drafts
 */
export const useStoredDraft = <V>(object: string | undefined): StoredDraft<V> => {
  const userId = useMaybeAccount()?.id
  const [read, setRead] = useState<{ object: string; found: Draft<V> | null }>()
  const isStored = useRef(false)
  const isKept = object !== undefined && userId !== undefined
  useEffect(() => {
    if (!isKept) return undefined
    let isCurrent = true
    void readDraft<V>(userId, object).then((draft) => {
      if (!isCurrent) return
      isStored.current = draft !== undefined
      setRead({ object, found: draft ?? null })
    })
    return () => {
      isCurrent = false
    }
  }, [isKept, userId, object])
  const write = useCallback(
    (draft: Draft<V>) => {
      if (!isKept) return
      isStored.current = true
      writeDraft(userId, object, draft)
    },
    [isKept, userId, object],
  )
  const remove = useCallback(() => {
    if (!isKept || !isStored.current) return
    isStored.current = false
    removeDraft(userId, object)
  }, [isKept, userId, object])
  return { found: isKept ? (read?.object === object ? read.found : undefined) : null, write, remove }
}
