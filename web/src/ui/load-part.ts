import { type ComponentType, lazy, useEffect, useState } from 'react'

/** Waits before each further attempt to load a part of the interface, in milliseconds: 8.5 seconds in all. */
const WAITS_MS = [300, 600, 1_200, 2_400, 4_000]

/** Vite's words when the style sheet of a module does not load; it does not ask for that sheet a second time. */
const STYLE = /^Unable to preload CSS for (\S+)$/

/** Whether a module or its style sheet was not loaded, in the words of Chromium, Firefox, Safari and Vite. */
export const isPartMissing = (error: unknown): error is Error =>
  error instanceof Error &&
  (STYLE.test(error.message) ||
    (error instanceof TypeError && /dynamically imported module|module script failed/i.test(error.message)))

/**
 * Loads a part of the interface, and tries again while the server, or the way to it, is busy: the page waits meanwhile.
 *
 * @throws what the last of six attempts threw
 */
export const loadPart = async <T>(load: () => Promise<T>): Promise<T> => {
  for (const wait of WAITS_MS) {
    try {
      return await load()
    } catch (error) {
      if (!isPartMissing(error)) throw error
      await sleep(wait)
      await loadStyle(STYLE.exec(error.message)?.[1])
    }
  }
  return load()
}

/** A failure here is not the end: the next attempt to load the module waits longer, and asks for the sheet again. */
const loadStyle = async (href: string | undefined): Promise<void> => {
  if (href === undefined) return
  for (const wait of WAITS_MS) {
    if (await appendStyle(href)) return
    await sleep(wait)
  }
}

const appendStyle = (href: string): Promise<boolean> =>
  new Promise((resolve) => {
    const link = document.createElement('link')
    link.rel = 'stylesheet'
    link.href = href
    link.addEventListener('load', () => resolve(true))
    link.addEventListener('error', () => {
      link.remove()
      resolve(false)
    })
    document.head.append(link)
  })

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** A component that is loaded when it is shown. */
// oxlint-disable-next-line typescript/no-explicit-any -- as React declares what can be loaded: any properties
export const lazyPart = <K extends string, C extends ComponentType<any>>(load: () => Promise<Record<K, C>>, name: K) =>
  lazy(async () => ({ default: (await loadPart(load))[name] }))

/**
 * A component that replaces a simpler one on the page once it is loaded, without a fallback in between.
 *
 * @returns a hook: the component, or undefined while it is not wanted, not loaded yet, or cannot be loaded
 */
// oxlint-disable-next-line typescript/no-explicit-any -- as above
export const replacementPart = <K extends string, C extends ComponentType<any>>(
  load: () => Promise<Record<K, C>>,
  name: K,
) => {
  let loaded: C | undefined
  return (isWanted: boolean): C | undefined => {
    const [, setLoaded] = useState(false)
    useEffect(() => {
      if (!isWanted || loaded) return undefined
      let isShown = true
      // The simpler component stays, and works, if this one cannot be loaded.
      void loadPart(load).then(
        (module) => {
          loaded = module[name]
          if (isShown) setLoaded(true)
        },
        () => undefined,
      )
      return () => {
        isShown = false
      }
    }, [isWanted])
    return isWanted ? loaded : undefined
  }
}
