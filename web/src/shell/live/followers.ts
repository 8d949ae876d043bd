import type { QueryKey } from '@tanstack/react-query'
import type { Feature } from '../../feature.ts'
import { FEATURES } from '../../features.ts'
import type { LiveEvent } from './event-stream.ts'

/** What the features say follows events. Read when asked: features and the shell import each other. */
const live = () => FEATURES.map((feature: Feature) => feature.live ?? {})

/** Whether a read of this key follows events at all. */
export const followsAny = ([, name]: QueryKey): boolean => live().some((byType) => Object.values(byType).some((names) => isAmong(names, name)))

/** Whether what a read of this key tells may be other after the event. */
export const follows = ([, name, ...input]: QueryKey, { type, engagementId }: Pick<LiveEvent, 'type' | 'engagementId'>): boolean => {
  if (!live().some((byType) => isAmong(byType[type], name) || isAmong(byType.any, name))) return false
  const own = engagementOf(input)
  return own === undefined || engagementId === null || own === engagementId
}

const isAmong = (names: readonly string[] = [], name: unknown): boolean => names.some((own) => own === name)

/** The engagement that a read names in its parameters; they stand in its input, or in the key by themselves. */
const engagementOf = (input: readonly unknown[]): string | undefined => {
  for (const part of input) {
    if (typeof part !== 'object' || part === null) continue
    const { params = part } = part as { params?: object }
    if ('engagementId' in params && typeof params.engagementId === 'string') return params.engagementId
  }
  return undefined
}
