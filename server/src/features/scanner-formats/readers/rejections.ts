import { cleanLine } from '../../inventory/sightings/clean.ts'
import { InvalidSighting } from '../../inventory/sightings/sightings.ts'
import type { Item } from '../registry/format.ts'

const MAX_EXCERPT = 200

/** Creates a rejection: a piece of a file that is not a result, and the reason. */
export const rejection = (position: string, excerpt: string, reason: string): Item => ({
  type: 'rejection',
  position,
  excerpt: cleanLine(excerpt, MAX_EXCERPT) ?? '',
  reason,
})

/** Converts an InvalidSighting to a rejection. @throws any other error */
export const unusable = (error: unknown, position: string, excerpt: string): Item => {
  if (!(error instanceof InvalidSighting)) throw error
  return rejection(position, excerpt, error.message)
}
