import type { QueryKey } from '@tanstack/react-query'
import type { Feature } from '../../feature.ts'
import { FEATURES } from '../../features.ts'
import type { LiveEvent } from './event-stream.ts'

/** Reads by event type, from all features. Evaluated lazily, because features and the shell import each other. */
const live = () => FEATURES.map((feature: Feature) => feature.live ?? {})

/** True if a read with this key follows events. */
export const followsAny = ([, name]: QueryKey): boolean => live().some((byType) => Object.values(byType).some((names) => isAmong(names, name)))

/** True if the event can change the result of a read with this key. */
export const follows = ([, name, ...input]: QueryKey, { type, engagementId }: Pick<LiveEvent, 'type' | 'engagementId'>): boolean => {
  if (!live().some((byType) => isAmong(byType[type], name) || isAmong(byType.any, name))) return false
  const own = engagementOf(input)
  return own === undefined || engagementId === null || own === engagementId
}

const isAmong = (names: readonly string[] = [], name: unknown): boolean => names.some((own) => own === name)

/** The engagement in the parameters of a read, which are in its input or directly in the key. */
const engagementOf = (input: readonly unknown[]): string | undefined => {
  for (const part of input) {
    if (typeof part !== 'object' || part === null) continue
    const { params = part } = part as { params?: object }
    if ('engagementId' in params && typeof params.engagementId === 'string') return params.engagementId
  }
  return undefined
}
