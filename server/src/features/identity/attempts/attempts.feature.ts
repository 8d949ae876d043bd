import type { Feature } from '../../../platform/feature.ts'
import { deleteStaleAttempts } from './attempts.service.ts'

export const attempts: Feature = { name: 'attempts', cleanUp: ({ db, clock }) => deleteStaleAttempts(db, clock) }
