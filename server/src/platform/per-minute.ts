const MINUTE_MS = 60_000

/**
 * Bounds what the log says of events that others cause as often as they like. A minute begins with an event.
 *
 * @param max events of each kind that are logged in a minute
 * @param onMore called at the end of a minute with the number of the events that were not logged, by kind
 * @returns a function that counts an event, and says whether it is logged
 */
export const perMinute = (max: number, onMore: (notLogged: Readonly<Record<string, number>>) => void): ((kind: string) => boolean) => {
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
