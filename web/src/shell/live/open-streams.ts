/** What ends the streams of this tab. */
export const openStreams = new Set<AbortController>()

/** Ends all streams of this tab, before the session that they belong to does. */
export const endLiveReads = (): void => {
  for (const controller of openStreams) controller.abort()
}
