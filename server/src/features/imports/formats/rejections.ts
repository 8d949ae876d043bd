import { cleanLine } from '../../results/clean.ts'
import { Unusable } from '../../results/sightings.ts'
import type { Item } from './format.ts'

const MAX_EXCERPT = 200

/** A piece of a file that is no result, and why. */
export const rejection = (position: string, excerpt: string, reason: string): Item => ({
  type: 'rejection',
  position,
  excerpt: cleanLine(excerpt, MAX_EXCERPT) ?? '',
  reason,
})

/** @throws the error, where it is not about what the tool wrote */
export const unusable = (error: unknown, position: string, excerpt: string): Item => {
  if (!(error instanceof Unusable)) throw error
  return rejection(position, excerpt, error.message)
}
