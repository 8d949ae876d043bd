/** Open streams of this tab. */
export const openStreams = new Set<AbortController>()

/** Closes all streams of this tab before the session ends. */
export const endLiveReads = (): void => {
  for (const controller of openStreams) controller.abort()
}
