/** The page that was open last in a wiki, in this browser. */
const keyOf = (wiki: string) => `sortie.wiki.${wiki}`

export const lastPage = (wiki: string): string | undefined => {
  try {
    return localStorage.getItem(keyOf(wiki)) ?? undefined
  } catch {
    return undefined
  }
}

export const rememberPage = (wiki: string, pageId: string): void => {
  try {
    localStorage.setItem(keyOf(wiki), pageId)
  } catch {
    // Without storage, the wiki begins with the choice of a page.
  }
}
