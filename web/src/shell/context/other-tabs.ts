import { useEffect } from 'react'

const KEY = 'sortie.signed-in-as'

/**
 * Tells the other tabs of this browser who is signed in, because all share one session cookie. Stored, so that a
 * suspended tab finds it when it wakes.
 * @param userId null if signed out
 */
export const tellOtherTabs = (userId: string | null): void => {
  try {
    if (localStorage.getItem(KEY) !== (userId ?? '')) localStorage.setItem(KEY, userId ?? '')
  } catch {
    // A browser that blocks storage for this site keeps no session either.
  }
}

/** Signed-in user as stored by the tabs: null if signed out, undefined if unknown. */
const readSignedIn = (): string | null | undefined => {
  try {
    const known = localStorage.getItem(KEY)
    return known === null ? undefined : known === '' ? null : known
  } catch {
    return undefined
  }
}

/**
 * Calls back when another tab signs out or signs in another user: immediately, or when this tab becomes visible.
 * @param userId the signed-in user of this tab; undefined if irrelevant
 */
export const useOtherTabs = (userId: string | undefined, onChange: (signedIn: string | null) => void): void => {
  useEffect(() => {
    if (userId === undefined) return undefined
    const look = () => {
      const signedIn = readSignedIn()
      if (signedIn !== undefined && signedIn !== userId) onChange(signedIn)
    }
    const onStorage = ({ key }: StorageEvent) => {
      if (key === KEY) look()
    }
    window.addEventListener('storage', onStorage)
    window.addEventListener('pageshow', look)
    document.addEventListener('visibilitychange', look)
    return () => {
      window.removeEventListener('storage', onStorage)
      window.removeEventListener('pageshow', look)
      document.removeEventListener('visibilitychange', look)
    }
  }, [userId, onChange])
}
