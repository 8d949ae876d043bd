import { useEffect, useState } from 'react'

/**
 * Token of an e-mail link. Removed from the address bar once read, to keep it out of history, bookmarks and
 * screenshots; the page holds it until it is left or reloaded. Opening a link in a tab that already shows its page only
 * changes the fragment and does not reload.
 */
export const useMailedToken = (): string | undefined => {
  const [token, setToken] = useState(consumeToken)
  useEffect(() => {
    const take = () => setToken(consumeToken())
    window.addEventListener('hashchange', take)
    return () => window.removeEventListener('hashchange', take)
  }, [])
  return token
}

/** Fragment of an address that `useMailedToken` reads. */
export const mailedFragment = (token: string): string => `#token=${encodeURIComponent(token)}`

const taken = new Map<string, string>()

const consumeToken = (): string | undefined => {
  const { pathname, search, hash } = window.location
  // E-mails of versions before December 2026 have the token in the query.
  const token = new URLSearchParams(hash.slice(1)).get('token') ?? new URLSearchParams(search).get('token')
  if (token) {
    taken.set(pathname, token)
    window.history.replaceState(window.history.state, '', pathname)
  }
  return taken.get(pathname)
}
