import type { SignInMethod } from '../../../platform/auth/actor.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import type { Device } from '../../../platform/device.ts'
import type { Platform } from '../../../platform/http/context.ts'
import { recognizeDevice } from '../devices/devices.service.ts'

/** Somebody who signs in, with an address that is known to be theirs. */
export interface Arriving {
  user: { id: string; name: string; email: string }
  verifiedEmail: string
  /** Network address. */
  address: string
}

/** Makes the person a member of the organizations that take people of their domain; handed in by what knows organizations. */
export type JoinByDomain = (tx: Transaction, platform: Platform, arriving: Arriving) => Promise<void>

/** What signing in takes. */
export interface SignInPlatform extends Platform {
  joinByDomain: JoinByDomain
}

interface SignedIn {
  user: { id: string; name: string; email: string }
  method: SignInMethod
  /** The address that this person is known to receive mail at, or that the provider vouches for; null where there is none. */
  verifiedEmail: string | null
  /** With the device cookie that the browser brought. */
  origin: Device & { deviceToken: string | undefined }
}

/**
 * The end of every sign-in, whichever door it came through (password, second factor, a new account of an invitation, a
 * delegated provider), in the transaction that starts the session. What must happen at each sign-in is called from here.
 *
 * @returns the token of a device cookie to set, if it is a new one
 */
export const afterSignIn = async (tx: Transaction, platform: SignInPlatform, { user, verifiedEmail, origin }: SignedIn): Promise<string | undefined> => {
  if (verifiedEmail !== null) await platform.joinByDomain(tx, platform, { user, verifiedEmail, address: origin.address })
  return recognizeDevice(tx, platform.jobs, platform.clock, user.id, origin)
}
