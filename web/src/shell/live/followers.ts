import type { QueryKey } from '@tanstack/react-query'
import type { Feature } from '../../feature.ts'
import type { LiveEvent } from './live-message.ts'

/** The reads of all features that follow events. */
export interface Followers {
  /** True if a read with this key follows events. */
  followsAny: (key: QueryKey) => boolean
  /** True if the event can change the result of a read with this key. */
  follows: (key: QueryKey, event: LiveEvent) => boolean
}

export const followersOf = (features: readonly Feature[]): Followers => {
  const live = features.map((feature) => feature.live ?? {})
  return {
    followsAny: ([, name]) => live.some((byType) => Object.values(byType).some((names) => isAmong(names, name))),
    follows: (key, event) => {
      const [, name, ...input] = key
      const { type, engagementId } = event
      if (!live.some((byType) => isAmong(byType[type], name) || isAmong(byType.any, name))) return false
      if (features.some(({ isUnaffected }) => isUnaffected?.(key, event))) return false
      const own = engagementOf(input)
      return own === undefined || engagementId === null || own === engagementId
    },
  }
}

const isAmong = (names: readonly string[] = [], name: unknown): boolean => names.some((own) => own === name)

/** The engagement of a read: in the parameters or the query of its input, or directly in the key. */
const engagementOf = (input: readonly unknown[]): string | undefined => {
  for (const part of input) {
    if (typeof part !== 'object' || part === null) continue
    const { params, query } = part as { params?: object; query?: object }
    for (const place of [part, params ?? {}, query ?? {}])
      if ('engagementId' in place && typeof place.engagementId === 'string') return place.engagementId
  }
  return undefined
}
