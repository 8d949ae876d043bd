import { createStore, delMany, get, set, entries as storedEntries, type UseStore } from 'idb-keyval'

/** Unsaved input of a user. */
export interface Draft<V> {
  values: Partial<V>
  /** Saved values and version when the changes started; saving checks against them. */
  base: Partial<V>
  version: string | undefined
  /** ISO 8601. */
  savedAt: string
}

const DATABASE = 'sortie-drafts'
/** In `localStorage`: drafts that the database had not stored when their page closed. */
const LAST_INPUT = 'sortie.draft/'
const LIFETIME_MS = 30 * 24 * 60 * 60 * 1000

let opened: UseStore | undefined
const store = (): UseStore => {
  opened ??= createStore(DATABASE, 'drafts')
  return opened
}

/**
 * Pending writes by key; undefined deletes the draft. Only the newest is written, so that writing never lags behind
 * typing.
 */
const wanted = new Map<string, Draft<unknown> | undefined>()
let writing: Promise<void> | undefined
let isClosed = false

const keyOf = (userId: string, object: string): string => `${userId}/${object}`

/** @param object name of the draft's object, such as `engagement/eng_...` */
export const readDraft = async <V>(userId: string, object: string): Promise<Draft<V> | undefined> => {
  const key = keyOf(userId, object)
  await lastInputRead()
  if (wanted.has(key)) return wanted.get(key)
  return unlessStorageFails(() => get<Draft<V>>(key, store()), undefined)
}

/** Drafts of an object and of all names below it, such as `wiki/wik_.../...`. */
export const draftsBelow = async <V>(
  userId: string,
  object: string,
): Promise<{ object: string; draft: Draft<V> }[]> => {
  await lastInputRead()
  const stored = await unlessStorageFails(() => storedEntries<string, Draft<V>>(store()), [])
  const all = new Map<string, Draft<V> | undefined>([...stored, ...(wanted as Map<string, Draft<V> | undefined>)])
  const key = keyOf(userId, object)
  return [...all].flatMap(([name, draft]) =>
    draft && (name === key || name.startsWith(`${key}/`))
      ? [{ object: name.slice(keyOf(userId, '').length), draft }]
      : [],
  )
}

export const writeDraft = <V>(userId: string, object: string, draft: Draft<V>): void =>
  want(keyOf(userId, object), draft)

export const removeDraft = (userId: string, object: string): void => want(keyOf(userId, object), undefined)

/** Resolves when all input so far is stored. */
export const draftsWritten = (): Promise<void> => writing ?? Promise.resolve()

/** Deletes all drafts at the end of a session, and blocks new ones until the page reloads. */
export const closeDrafts = async (): Promise<void> => {
  await lastInputRead()
  isClosed = true
  wanted.clear()
  await writing
  await removeWhere(() => true)
}

/** Deletes drafts of other users in this browser, and drafts older than 30 days. */
export const keepDraftsOf = async (userId: string): Promise<void> => {
  await lastInputRead()
  await writing
  await removeWhere(
    (key, { savedAt }) => !key.startsWith(keyOf(userId, '')) || Date.parse(savedAt) < Date.now() - LIFETIME_MS,
  )
}

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

// The database writes too late for the last key before a page closes; `localStorage` writes at once.
window.addEventListener('pagehide', () => {
  for (const [key, draft] of wanted)
    if (draft) withLocalStorage((storage) => storage.setItem(LAST_INPUT + key, JSON.stringify(draft)))
})
window.addEventListener('pageshow', ({ persisted }) => {
  // The page continues with its own pending writes.
  if (persisted) for (const key of wanted.keys()) withLocalStorage((storage) => storage.removeItem(LAST_INPUT + key))
})

let reading: Promise<void> | undefined

/** Moves drafts of closed pages from `localStorage` to the database. */
const lastInputRead = (): Promise<void> =>
  (reading ??= unlessStorageFails(async () => {
    const names = withLocalStorage((storage) => Object.keys(storage).filter((name) => name.startsWith(LAST_INPUT)))
    for (const name of names ?? []) {
      const key = name.slice(LAST_INPUT.length)
      const text = localStorage.getItem(name) ?? 'null'
      // Removed before it is parsed, so that a damaged one fails once.
      localStorage.removeItem(name)
      const draft = JSON.parse(text) as Draft<unknown> | null
      const stored = await get<Draft<unknown>>(key, store())
      // Another tab may have written the same draft since.
      if (draft && !wanted.has(key) && !(stored && stored.savedAt > draft.savedAt)) want(key, draft)
    }
  }, undefined))

/** Undefined if the browser blocks storage, or has no space left. */
const withLocalStorage = <T>(work: (storage: Storage) => T): T | undefined => {
  try {
    return work(localStorage)
  } catch (error) {
    if (error instanceof DOMException) return undefined
    throw error
  }
}

/** If storage is blocked or full, drafts are not kept; forms work without them. */
const unlessStorageFails = async <T>(work: () => Promise<T>, otherwise: T): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    if (error instanceof DOMException || error instanceof ReferenceError) return otherwise
    throw error
  }
}
