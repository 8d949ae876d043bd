import { isoTime } from '../../../platform/clock.ts'
import type { Feature } from '../../../platform/feature.ts'
import { deleteStaleDevices } from './devices.queries.ts'
import { DEVICE_LIFETIME_MS } from './devices.service.ts'

export const devices: Feature = {
  name: 'devices',
  cleanUp: ({ db, clock }) => deleteStaleDevices(db, isoTime(clock.now() - DEVICE_LIFETIME_MS)),
}
