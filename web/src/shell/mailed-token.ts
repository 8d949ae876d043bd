import { useState } from 'react'

/**
 * The token of a mailed link. Once read it leaves the address bar, so that it stays out of history, bookmarks and
 * screenshots; this page keeps it until it is left or loaded anew.
 */
export const useMailedToken = (): string | undefined => {
  const [token] = useState(takeToken)
  return token
}

const taken = new Map<string, string>()

const takeToken = (): string | undefined => {
  const { pathname, search } = window.location
  const token = new URLSearchParams(search).get('token')
  if (token) {
    taken.set(pathname, token)
    window.history.replaceState(window.history.state, '', pathname)
  }
  return taken.get(pathname)
}
