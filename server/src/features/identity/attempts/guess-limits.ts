import type { Database } from '../../../platform/database/open.ts'
import { addressBucket } from '../../../platform/http/address.ts'
import { networkOf } from '../../../platform/http/network.ts'
import { parseEmail } from '../../../platform/text.ts'
import {
  ACCOUNT_SIGN_IN,
  ADDRESS_SIGN_IN,
  type Attempt,
  forgetFailures,
  forgetFailuresBelow,
  KNOWN_BROWSER_SIGN_IN,
  NETWORK_SIGN_IN,
  undoAttempt,
} from './attempts.service.ts'

/** Where a guess of a password counts. */
export interface GuessCounters {
  /** Who makes it: guesses of one party share the places at which passwords are checked. */
  guesser: { party: string; isKnown: boolean }
  counted: readonly Attempt[]
  /** To be called after a right password. */
  afterRight(db: Database): Promise<void>
}

const bucketOf = (emailKey = 'no address') => `sign-in:${emailKey}`

/**
 * A browser that the account knows has one counter of its own, so that strangers who guess do not keep the person out, not
 * even from the same network. Any other browser counts three times: for its address whatever the account, for the account
 * in its network, and for the account as a whole. A right password takes only itself back from that one: a person who
 * signs in does not give a guesser new guesses.
 *
 * The counters are the same whether or not the address has an account (abuse case S5).
 *
 * @param emailKey undefined for what is no e-mail address
 * @param knownDevice hash of the device cookie, where the account knows it
 */
export const guessCounters = (emailKey: string | undefined, address: string, knownDevice: Buffer | undefined): GuessCounters => {
  const account = bucketOf(emailKey)
  if (knownDevice) {
    const ofBrowser = { bucket: `${account}:${knownDevice.toString('hex')}`, limit: KNOWN_BROWSER_SIGN_IN }
    return { guesser: { party: account, isKnown: true }, counted: [ofBrowser], afterRight: (db) => forgetFailures(db, ofBrowser.bucket) }
  }
  const ofAddress = { bucket: `sign-in-from:${addressBucket(address)}`, limit: ADDRESS_SIGN_IN }
  const network = networkOf(address)
  const ofNetwork = { bucket: `${account}:${network}`, limit: NETWORK_SIGN_IN }
  const ofAccount = { bucket: account, limit: ACCOUNT_SIGN_IN }
  return {
    guesser: { party: network, isKnown: false },
    // In this order, so that whoever has to wait touches no counter that others share.
    counted: [ofAddress, ofNetwork, ofAccount],
    afterRight: async (db) => {
      await undoAttempt(db, ofAddress)
      await forgetFailures(db, ofNetwork.bucket)
      await undoAttempt(db, ofAccount)
    },
  }
}

/** After the password was replaced: guesses of the old one do not count any more, wherever they came from. */
export const forgetGuesses = async (db: Database, email: string): Promise<void> => {
  const account = bucketOf(parseEmail(email)?.key)
  await forgetFailures(db, account)
  await forgetFailuresBelow(db, account)
}
