import type { Device } from '../../../platform/auth/device.ts'
import { type Clock, isoTime } from '../../../platform/clock.ts'
import { randomToken, sha256 } from '../../../platform/crypto.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import { addressBucket } from '../../../platform/http/server/address.ts'
import type { Jobs } from '../../../platform/jobs/jobs.ts'
import { notifyPerson } from '../../account-emails/account-emails.service.ts'
import * as query from './devices.queries.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** The longest that browsers keep a cookie. */
export const DEVICE_LIFETIME_MS = 400 * DAY_MS
/** How long the same user agent in the same network counts as known without the cookie. */
const ALIKE_LIFETIME_MS = 90 * DAY_MS
const MAX_DEVICES_PER_USER = 30
const MAX_USER_AGENT = 400

/**
 * Called for each sign-in. A device is known by the cookie from its first sign-in or, without the cookie, by the same
 * user agent from the same network (address, or /64) within 90 days, so that a script or a private window does not
 * cause a mail each time. A sign-in from an unknown device is mailed to the user, except from the account's first one.
 *
 * @returns the token of a device cookie to set, if it is a new device
 */
export const recognizeDevice = async (
  tx: Transaction,
  jobs: Jobs,
  clock: Clock,
  userId: string,
  device: Device & { deviceToken: string | undefined },
): Promise<string | undefined> => {
  const seen = seenNow(clock, device)
  if (device.deviceToken && (await query.touchDevice(tx, userId, sha256(device.deviceToken), seen))) return undefined
  if (await query.touchAlike(tx, userId, { ...seen, since: isoTime(clock.now() - ALIKE_LIFETIME_MS) })) return undefined
  if (await query.hasDevices(tx, userId))
    await notifyPerson(tx, jobs, clock, { userId }, { kind: 'new-device', from: device })
  return rememberDevice(tx, clock, userId, device)
}

/** Makes this browser known to the account. @returns the token of the device cookie to set */
export const rememberDevice = async (
  tx: Transaction,
  clock: Clock,
  userId: string,
  device: Device,
): Promise<string> => {
  const token = randomToken()
  const { network, userAgent, now } = seenNow(clock, device)
  const row = {
    user_id: userId,
    device_hash: sha256(token),
    user_agent: userAgent,
    network,
    first_seen_at: now,
    last_seen_at: now,
  }
  await query.insertDevice(tx, row, MAX_DEVICES_PER_USER)
  return token
}

const seenNow = (clock: Clock, { address, userAgent }: Device) => ({
  network: addressBucket(address),
  userAgent: userAgent.slice(0, MAX_USER_AGENT),
  now: isoTime(clock.now()),
})

/** Forgets every device. @returns how many there were */
export const forgetEveryDevice = (tx: Transaction): Promise<number> => query.deleteEveryDevice(tx)
