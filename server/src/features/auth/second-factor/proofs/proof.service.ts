import type { Person } from '../../../../platform/auth/actor.ts'
import { type Clock, isoTime } from '../../../../platform/clock.ts'
import type { Platform, Writer } from '../../../../platform/context.ts'
import { type Keys, sha256 } from '../../../../platform/crypto.ts'
import type { Database } from '../../../../platform/database/connection/open.ts'
import type { Transaction } from '../../../../platform/database/transaction.ts'
import { type ApiError, conflict, invalid } from '../../../../platform/errors.ts'
import { changeAccount } from '../../accounts/accounts.service.ts'
import { attempt, CONFIRMATION, forgetFailures } from '../../throttle/throttle.service.ts'
import * as query from '../passkeys/passkeys.queries.ts'
import { findKeptKeys } from '../rotation/kept-keys.ts'
import { deleteRecoveryCode, findSecondFactor, lockSecondFactor, updateLastStep } from '../second-factor.queries.ts'
import { recoveryCodeHashes } from './recovery-codes.ts'
import { matchTotp, openSecret } from './totp.ts'
import { type Answer, authenticationOptions, checkAnswer } from './webauthn.ts'

export const CHALLENGE_LIFETIME_MS = 5 * 60 * 1000

/**
 * Runs an action that needs a correct proof of an account's second factor. All guesses count together, through any door
 * and with any number of tickets.
 *
 * @param work returns undefined if the proof is wrong
 * @throws ApiError RATE_LIMITED, and `refusal` if the proof is wrong
 */
export const withProof = async <T>(
  { db, clock }: Platform,
  userId: string,
  refusal: ApiError,
  work: () => Promise<T | undefined>,
): Promise<T> => {
  const bucket = `second-factor:${userId}`
  const result = await attempt(db, clock, [{ bucket, limit: CONFIRMATION }], work)
  if (result === undefined) throw refusal
  await forgetFailures(db, bucket)
  return result
}

/** Proof in addition to the password: a code of the app, a recovery code, or a passkey's response. */
export interface Proof {
  code?: string | undefined
  passkey?: Answer | undefined
}

export type ProvedBy = 'app' | 'recovery code' | 'passkey'

/** The holder of a challenge: the ticket of a sign-in, or a session. */
export interface Holder {
  purpose: query.Purpose
  /** Hash of the ticket's token or of the session's id. */
  hash: Buffer
}

export const holderOfSession = (purpose: 'enrol' | 'confirm', sessionId: string): Holder => ({
  purpose,
  hash: sha256(sessionId),
})

/**
 * Creates a challenge for a passkey of this account.
 *
 * @throws ApiError CONFLICT when there is none
 */
export const askForPasskey = async ({ db, change, clock, config }: Writer, userId: string, holder: Holder) => {
  const known = await query.listPasskeys(db, userId)
  if (known.length === 0) throw conflict('There is no passkey on this account.')
  const options = await authenticationOptions(config, known)
  await change((tx) => rememberChallenge(tx, holder, options.challenge, clock.now()))
  return options
}

export const rememberChallenge = (
  tx: Transaction,
  { purpose, hash }: Holder,
  challenge: string,
  nowMs: number,
): Promise<void> =>
  query.putChallenge(tx, { purpose, holder: hash, challenge, expires_at: isoTime(nowMs + CHALLENGE_LIFETIME_MS) })

/** Invalidates every open challenge. */
export const forgetEveryChallenge = (tx: Transaction): Promise<void> => query.deleteEveryChallenge(tx)

export const forgetEndedChallenges = (db: Database, clock: Clock): Promise<void> =>
  query.deleteEndedChallenges(db, isoTime(clock.now()))

/**
 * Consumes a proof in the transaction that uses it: each works once, also when it is sent several times concurrently.
 *
 * @returns undefined for one that is wrong, used or too old
 * @throws ApiError CONFLICT when the account has no second factor, VALIDATION_ERROR when nothing was sent
 */
export const useProof = async (
  tx: Transaction,
  platform: Platform,
  userId: string,
  holder: Holder,
  proof: Proof,
): Promise<ProvedBy | undefined> => {
  if (proof.passkey) return (await usePasskey(tx, platform, userId, holder, proof.passkey)) ? 'passkey' : undefined
  if (proof.code === undefined) throw invalid('code: is required, unless a passkey is used')
  return useCode(tx, platform, userId, proof.code)
}

/**
 * Requires the second factor of a signed-in user, if one is set up.
 *
 * @throws ApiError VALIDATION_ERROR for a wrong or missing proof, RATE_LIMITED
 */
export const requireProof = async (platform: Writer, person: Person, proof: Proof): Promise<void> => {
  const { userId, sessionId } = person
  const use = (tx: Transaction) => useProof(tx, platform, userId, holderOfSession('confirm', sessionId), proof)
  await withProof(platform, userId, wrongProof(proof), () => changeAccount(platform.change, userId, use))
}

export const wrongProof = (proof: Proof): ApiError =>
  invalid(proof.passkey ? 'passkey: was refused. Try again, or use a recovery code' : 'code: is not right')

/** A code of the app, or a recovery code. */
const useCode = async (
  tx: Transaction,
  { clock, keys }: Platform,
  userId: string,
  typed: string,
): Promise<ProvedBy | undefined> => {
  const factor = await lockSecondFactor(tx, userId)
  if (!factor?.confirmed_at && !(await findSecondFactor(tx, userId)))
    throw conflict('There is no second factor on this account.')
  const code = typed.replace(/\s/g, '')
  if (!/^\d{6}$/.test(code)) return (await useRecoveryCode(tx, keys, userId, code)) ? 'recovery code' : undefined
  if (!factor?.confirmed_at) return undefined
  const step = matchTotp(openSecret(keys, userId, factor.secret), code, factor.last_step, clock.now())
  if (step === undefined) return undefined
  await updateLastStep(tx, userId, step)
  return 'app'
}

/** Hashes cannot be encrypted again: the keys of former secrets are kept for them. */
const useRecoveryCode = async (tx: Transaction, keys: Keys, userId: string, code: string): Promise<boolean> => {
  const kept = await findKeptKeys(tx, keys)
  return deleteRecoveryCode(tx, userId, recoveryCodeHashes(keys, kept, userId, code))
}

/** A counter that has not grown indicates a copied authenticator: refused, and logged for the operator. */
const usePasskey = async (
  tx: Transaction,
  { clock, config, log }: Platform,
  userId: string,
  { purpose, hash }: Holder,
  answer: Answer,
): Promise<boolean> => {
  const now = isoTime(clock.now())
  const challenge = await query.consumeChallenge(tx, purpose, hash, now)
  const passkey = await query.lockPasskey(tx, userId, Buffer.from(answer.id, 'base64url'))
  if (challenge === undefined || !passkey) return false
  const signCount = await checkAnswer(config, answer, challenge, {
    publicKey: passkey.public_key,
    signCount: Number(passkey.sign_count),
  })
  if (signCount === undefined) {
    log.warn({ userId, passkeyId: passkey.id }, 'the answer of a passkey was refused')
    return false
  }
  await query.updateUse(tx, userId, passkey.id, signCount, now)
  return true
}
