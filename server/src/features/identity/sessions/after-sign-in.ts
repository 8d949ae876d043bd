import type { SignInMethod } from '../../../platform/auth/sign-in-method.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import type { Platform } from '../../../platform/http/context.ts'
import { joinByDomain } from '../../organizations/domains/join-by-domain.service.ts'
import { recognizeDevice } from './devices.service.ts'
import type { Device } from './session-types.ts'

export interface SignedIn {
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
export const afterSignIn = async (tx: Transaction, platform: Platform, { user, verifiedEmail, origin }: SignedIn): Promise<string | undefined> => {
  if (verifiedEmail !== null) await joinByDomain(tx, platform, { user, verifiedEmail, address: origin.address })
  return recognizeDevice(tx, platform.jobs, platform.clock, user.id, origin)
}
