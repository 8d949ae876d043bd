const DAY_MS = 24 * 60 * 60 * 1000
const ROTATE_AFTER_DAYS = 90
const UNUSED_AFTER_DAYS = 30

/** Advice for a key by its age and use (specification, section 5); undefined for most keys. */
export const adviceOn = (key: { createdAt: string; lastUsedAt: string | null }, now = Date.now()): string[] => {
  const age = now - Date.parse(key.createdAt)
  const idle = now - Date.parse(key.lastUsedAt ?? key.createdAt)
  const advice: string[] = []
  if (idle >= UNUSED_AFTER_DAYS * DAY_MS)
    advice.push(`Unused for ${Math.floor(idle / DAY_MS)} days: delete it if nothing needs it.`)
  if (age >= ROTATE_AFTER_DAYS * DAY_MS)
    advice.push(`${Math.floor(age / DAY_MS)} days old: create a successor, switch over, then delete this one.`)
  return advice
}
