import { useEffect, useState } from 'react'

/**
 * The token of a mailed link. Once read it leaves the address bar, so that it stays out of history, bookmarks and
 * screenshots; this page keeps it until it is left or loaded anew. A link that is opened in a tab which shows its page
 * already changes the fragment only, and loads nothing.
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

/** What makes an address of this page one that `useMailedToken` reads. */
export const mailedFragment = (token: string): string => `#token=${encodeURIComponent(token)}`

const taken = new Map<string, string>()

const consumeToken = (): string | undefined => {
  const { pathname, search, hash } = window.location
  // Mails of versions before December 2026 have the token in the query.
  const token = new URLSearchParams(hash.slice(1)).get('token') ?? new URLSearchParams(search).get('token')
  if (token) {
    taken.set(pathname, token)
    window.history.replaceState(window.history.state, '', pathname)
  }
  return taken.get(pathname)
}
