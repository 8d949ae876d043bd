const MINUTE_MS = 60_000

/**
 * Bounds log lines about events that outsiders can cause at any rate. A minute starts with an event.
 *
 * @param max events of each kind that are logged in a minute
 * @param onMore called at the end of a minute with the number of unlogged events, by kind
 * @returns a function that counts an event, and returns whether to log it
 */
export const perMinute = (
  max: number,
  onMore: (notLogged: Readonly<Record<string, number>>) => void,
): ((kind: string) => boolean) => {
  let counts = new Map<string, number>()
  const endMinute = () => {
    const more = [...counts].filter(([, count]) => count > max).map(([kind, count]) => [kind, count - max] as const)
    counts = new Map()
    if (more.length > 0) onMore(Object.fromEntries(more))
  }
  return (kind) => {
    if (counts.size === 0) setTimeout(endMinute, MINUTE_MS).unref()
    const count = (counts.get(kind) ?? 0) + 1
    counts.set(kind, count)
    return count <= max
  }
}
