import type { Database } from '../../../platform/database/connection/open.ts'
import { addressBucket } from '../../../platform/http/server/address.ts'
import { networkOf } from '../../../platform/http/server/network.ts'
import { parseEmail } from '../../../platform/text/text.ts'
import {
  ACCOUNT_SIGN_IN,
  ADDRESS_SIGN_IN,
  type Attempt,
  forgetFailures,
  forgetFailuresBelow,
  KNOWN_BROWSER_SIGN_IN,
  NETWORK_SIGN_IN,
  undoAttempt,
} from './throttle.service.ts'

/** The counters of a password guess. */
export interface GuessCounters {
  /** Who guesses: guesses of one party share the slots for password checks. */
  guesser: { party: string; isKnown: boolean }
  counted: readonly Attempt[]
  /** Call after a correct password. */
  afterRight(db: Database): Promise<void>
}

const bucketOf = (emailKey = 'no address') => `sign-in:${emailKey}`

/**
 * A browser that the account knows has its own counter, so that strangers who guess cannot lock the user out, not even
 * from the same network. Any other browser counts three times: for its address across all accounts, for the account in
 * its network, and for the account as a whole. A correct password subtracts only itself from that last one: a user who
 * signs in does not give an attacker new guesses.
 *
 * The counters are identical for addresses with and without an account (abuse case S5).
 *
 * @param emailKey undefined if the input is not an email address
 * @param knownDevice hash of the device cookie, if the account knows it
 */
export const guessCounters = (
  emailKey: string | undefined,
  address: string,
  knownDevice: Buffer | undefined,
): GuessCounters => {
  const account = bucketOf(emailKey)
  if (knownDevice) {
    const ofBrowser = { bucket: `${account}:${knownDevice.toString('hex')}`, limit: KNOWN_BROWSER_SIGN_IN }
    return {
      guesser: { party: account, isKnown: true },
      counted: [ofBrowser],
      afterRight: (db) => forgetFailures(db, ofBrowser.bucket),
    }
  }
  const ofAddress = { bucket: `sign-in-from:${addressBucket(address)}`, limit: ADDRESS_SIGN_IN }
  const network = networkOf(address)
  const ofNetwork = { bucket: `${account}:${network}`, limit: NETWORK_SIGN_IN }
  const ofAccount = { bucket: account, limit: ACCOUNT_SIGN_IN }
  return {
    guesser: { party: network, isKnown: false },
    // Shared counters come last, so that a caller who has to wait does not touch them.
    counted: [ofAddress, ofNetwork, ofAccount],
    afterRight: async (db) => {
      await undoAttempt(db, ofAddress)
      await forgetFailures(db, ofNetwork.bucket)
      await undoAttempt(db, ofAccount)
    },
  }
}

/** Call after the password was replaced: guesses of the old one no longer count, from any network. */
export const forgetGuesses = async (db: Database, email: string): Promise<void> => {
  const account = bucketOf(parseEmail(email)?.key)
  await forgetFailures(db, account)
  await forgetFailuresBelow(db, account)
}
