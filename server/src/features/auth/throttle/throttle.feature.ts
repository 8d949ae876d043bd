import type { Feature } from '../../../platform/feature.ts'
import { deleteStaleAttempts } from './throttle.service.ts'

export const attempts: Feature = { name: 'attempts', cleanUp: ({ db, clock }) => deleteStaleAttempts(db, clock) }
