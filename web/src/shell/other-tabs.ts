import { useEffect } from 'react'

const KEY = 'sortie.signed-in-as'

/**
 * Tells the other tabs of this browser who is signed in: all share one session cookie. It stays written down, so that a tab
 * that slept meanwhile finds it when it wakes.
 *
 * @param userId null for nobody
 */
export const tellOtherTabs = (userId: string | null): void => {
  try {
    if (localStorage.getItem(KEY) !== (userId ?? '')) localStorage.setItem(KEY, userId ?? '')
  } catch {
    // A browser that stores nothing for this site keeps no session either.
  }
}

/** Who is signed in as far as the tabs know: null for nobody, undefined when none has said. */
const readSignedIn = (): string | null | undefined => {
  try {
    const known = localStorage.getItem(KEY)
    return known === null ? undefined : known === '' ? null : known
  } catch {
    return undefined
  }
}

/**
 * Calls back when another tab signs out or somebody else in: at once, or when this tab is looked at again.
 *
 * @param userId who is signed in as far as this tab knows; undefined where that does not matter
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
