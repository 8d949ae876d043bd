import type { SignInMethod } from '../../../platform/auth/actor.ts'
import type { Device } from '../../../platform/auth/device.ts'
import type { Platform } from '../../../platform/context.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import { recognizeDevice } from '../devices/devices.service.ts'

/** A user who signs in with a verified address. */
export interface Arriving {
  user: { id: string; name: string; email: string }
  verifiedEmail: string
  /** Network address. */
  address: string
}

/** Adds the user to the organizations that accept members of their domain; the organizations feature passes it in. */
export type JoinByDomain = (tx: Transaction, platform: Platform, arriving: Arriving) => Promise<void>

/** Platform, with the hooks that signing in calls. */
export interface SignInPlatform extends Platform {
  joinByDomain: JoinByDomain
}

interface SignedIn {
  user: { id: string; name: string; email: string }
  method: SignInMethod
  /** The address that the user receives mail at, or that the provider vouches for; null if there is none. */
  verifiedEmail: string | null
  /** Includes the device cookie of the browser. */
  origin: Device & { deviceToken: string | undefined }
}

/**
 * The end of every sign-in, through any door (password, second factor, new account of an invitation, identity
 * provider), in the transaction that starts the session. Add steps for every sign-in here.
 *
 * @returns the token of a device cookie to set, if it is a new device
 */
export const afterSignIn = async (
  tx: Transaction,
  platform: SignInPlatform,
  { user, verifiedEmail, origin }: SignedIn,
): Promise<string | undefined> => {
  if (verifiedEmail !== null)
    await platform.joinByDomain(tx, platform, { user, verifiedEmail, address: origin.address })
  return recognizeDevice(tx, platform.jobs, platform.clock, user.id, origin)
}
