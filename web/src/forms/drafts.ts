import { createStore, delMany, get, set, entries as storedEntries, type UseStore } from 'idb-keyval'

/** What somebody typed and has not saved. */
export interface Draft<V> {
  values: Partial<V>
  /** What was saved when the changes began, and its version: what saving checks against. */
  base: Partial<V>
  version: string | undefined
  /** ISO 8601 */
  savedAt: string
}

const DATABASE = 'sortie-drafts'
const LIFETIME_MS = 30 * 24 * 60 * 60 * 1000

let opened: UseStore | undefined
const store = (): UseStore => {
  opened ??= createStore(DATABASE, 'drafts')
  return opened
}

/** What is to be written, by key; undefined where a draft goes. The newest wins, so that writing never falls behind typing. */
const wanted = new Map<string, Draft<unknown> | undefined>()
let writing: Promise<void> | undefined
let isClosed = false

const keyOf = (userId: string, object: string): string => `${userId}/${object}`

/** @param object names what the draft is of, such as `engagement/eng_...` */
export const readDraft = async <V>(userId: string, object: string): Promise<Draft<V> | undefined> => {
  const key = keyOf(userId, object)
  if (wanted.has(key)) return wanted.get(key)
  return unlessStorageFails(() => get<Draft<V>>(key, store()), undefined)
}

/** The drafts of an object and of whatever is named below it, such as `wiki/wik_.../...`. */
export const draftsBelow = async <V>(userId: string, object: string): Promise<{ object: string; draft: Draft<V> }[]> => {
  const stored = await unlessStorageFails(() => storedEntries<string, Draft<V>>(store()), [])
  const all = new Map<string, Draft<V> | undefined>([...stored, ...(wanted as Map<string, Draft<V> | undefined>)])
  const key = keyOf(userId, object)
  return [...all].flatMap(([name, draft]) =>
    draft && (name === key || name.startsWith(`${key}/`)) ? [{ object: name.slice(keyOf(userId, '').length), draft }] : [],
  )
}

export const writeDraft = <V>(userId: string, object: string, draft: Draft<V>): void => want(keyOf(userId, object), draft)

export const removeDraft = (userId: string, object: string): void => want(keyOf(userId, object), undefined)

/** Resolves when everything typed so far is stored. */
export const draftsWritten = (): Promise<void> => writing ?? Promise.resolve()

/** Takes every draft away, at the end of a session, and keeps this page from writing others until it is loaded anew. */
export const closeDrafts = async (): Promise<void> => {
  isClosed = true
  wanted.clear()
  await writing
  await removeWhere(() => true)
}

/** Takes away what others left in this browser, and what is older than 30 days. */
export const keepDraftsOf = (userId: string): Promise<void> =>
  removeWhere((key, { savedAt }) => !key.startsWith(keyOf(userId, '')) || Date.parse(savedAt) < Date.now() - LIFETIME_MS)

const removeWhere = (isWanted: (key: string, draft: Draft<unknown>) => boolean): Promise<void> =>
  unlessStorageFails(async () => {
    const found = await storedEntries<string, Draft<unknown>>(store())
    await delMany(
      found.filter(([key, draft]) => isWanted(key, draft)).map(([key]) => key),
      store(),
    )
  }, undefined)

const want = (key: string, draft: Draft<unknown> | undefined): void => {
  if (isClosed) return
  wanted.set(key, draft)
  writing ??= writeAll().finally(() => {
    writing = undefined
  })
}

const writeAll = async (): Promise<void> => {
  for (let next = wanted.entries().next(); !next.done; next = wanted.entries().next()) {
    const [key, draft] = next.value
    await unlessStorageFails(() => (draft ? set(key, draft, store()) : delMany([key], store())), undefined)
    if (wanted.get(key) === draft) wanted.delete(key)
  }
}

/** A browser that stores nothing for this site, or has no room left, keeps no drafts; forms work without them. */
const unlessStorageFails = async <T>(work: () => Promise<T>, otherwise: T): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    if (error instanceof DOMException || error instanceof ReferenceError) return otherwise
    throw error
  }
}
