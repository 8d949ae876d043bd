import type { Person } from '../../../../platform/auth/actor.ts'
import type { Device } from '../../../../platform/auth/device.ts'
import { isoTime } from '../../../../platform/clock.ts'
import type { Writer } from '../../../../platform/context.ts'
import { sha256 } from '../../../../platform/crypto.ts'
import { conflict, invalid, notFound } from '../../../../platform/errors.ts'
import { newId } from '../../../../platform/ids.ts'
import { notifyPerson } from '../../../account-emails/account-emails.service.ts'
import { recordAudit } from '../../../audit/audit.service.ts'
import { changeAccount } from '../../accounts/accounts.service.ts'
import { type Confirmed, confirmPerson } from '../../accounts/confirm-password.ts'
import type { Passwords } from '../../passwords/passwords.ts'
import { replaceSessions } from '../../sessions/sessions.service.ts'
import {
  holderOfSession,
  type Proof,
  rememberChallenge,
  requireProof,
  useProof,
  withProof,
  wrongProof,
} from '../proofs/proof.service.ts'
import { newRecoveryCodes, recoveryCodeHash } from '../proofs/recovery-codes.ts'
import { type Created, canHavePasskeys, checkCreated, registrationOptions } from '../proofs/webauthn.ts'
import {
  deleteCodesOfNoFactor,
  deletePendingSecret,
  findSecondFactor,
  replaceRecoveryCodes,
} from '../second-factor.queries.ts'
import * as query from './passkeys.queries.ts'

const MAX_PASSKEYS = 20

/**
 * If a second factor is set up, the password is not enough: an attacker with a stolen session and the password must not
 * add their own key.
 *
 * @throws ApiError FORBIDDEN for a wrong password, VALIDATION_ERROR for a wrong proof, CONFLICT if the host allows no
 *   passkeys
 */
export const startPasskey = async (
  platform: Writer,
  passwords: Passwords,
  person: Person,
  { password, ...proof }: Confirmed & Proof,
) => {
  const { db, change, clock, config } = platform
  if (!canHavePasskeys(config))
    throw conflict(
      'Browsers create passkeys only for a server with a host name, over https. Ask the operator of this server.',
    )
  await confirmPerson(platform, passwords, person, password)
  if (await findSecondFactor(db, person.userId)) await requireProof(platform, person, proof)
  const known = await query.listPasskeys(db, person.userId)
  if (known.length >= MAX_PASSKEYS)
    throw conflict(`An account can have ${MAX_PASSKEYS} passkeys. Remove one that you do not use.`)
  const options = await registrationOptions(
    config,
    { handle: sha256(person.userId), name: person.name, email: person.email },
    known,
  )
  await change((tx) =>
    rememberChallenge(tx, holderOfSession('enrol', person.sessionId), options.challenge, clock.now()),
  )
  return options
}

/**
 * The first second factor of an account comes with recovery codes; later ones keep the existing codes.
 *
 * @throws ApiError CONFLICT when nothing was started or the passkey is in use, VALIDATION_ERROR for a response that
 *   does not match
 */
export const confirmPasskey = async (
  platform: Writer,
  person: Person,
  { name, passkey: created }: { name: string; passkey: Created },
  device: Device,
) => {
  const { change, clock, config, keys, jobs } = platform
  const codes = newRecoveryCodes()
  const added = await changeAccount(change, person.userId, async (tx) => {
    const now = isoTime(clock.now())
    const holder = holderOfSession('enrol', person.sessionId)
    const challenge = await query.consumeChallenge(tx, holder.purpose, holder.hash, now)
    if (challenge === undefined) throw conflict('This took too long, or was already completed. Start again.')
    const made = await checkCreated(config, created, challenge)
    if (!made) return undefined
    const isFirst = !(await findSecondFactor(tx, person.userId))
    const passkey = await query.insertPasskey(tx, {
      id: newId('pky', clock.now()),
      user_id: person.userId,
      name,
      credential_id: made.credentialId,
      public_key: made.publicKey,
      sign_count: made.signCount,
      transports: made.transports,
      created_at: now,
    })
    if (!passkey) throw conflict('This passkey is already in use.')
    if (isFirst) {
      await deletePendingSecret(tx, person.userId)
      const hashes = codes.map((code) => recoveryCodeHash(keys, person.userId, code))
      await replaceRecoveryCodes(tx, person.userId, hashes)
    }
    await recordAudit(tx, { person }, clock, {
      action: 'passkey.added',
      object: { type: 'passkey', id: passkey.id },
      after: { name },
    })
    await notifyPerson(tx, jobs, clock, person, { kind: 'second-factor', change: 'passkey added', from: device })
    const { token } = await replaceSessions(tx, keys, clock, person, device)
    return { passkey, recoveryCodes: isFirst ? codes : [], sessionToken: token }
  })
  if (!added) throw invalid('passkey: does not answer the challenge of this server')
  return added
}

/** @throws ApiError NOT_FOUND */
export const renamePasskey = ({ change, clock }: Writer, person: Person, passkeyId: string, name: string) =>
  changeAccount(change, person.userId, async (tx) => {
    const before = await query.findPasskey(tx, person.userId, passkeyId)
    if (!before) throw notFound()
    if (before.name === name) return before
    const after = await query.updatePasskeyName(tx, person.userId, passkeyId, name)
    const names = { before: { name: before.name }, after: { name } }
    await recordAudit(tx, { person }, clock, {
      action: 'passkey.renamed',
      object: { type: 'passkey', id: passkeyId },
      ...names,
    })
    return after ?? before
  })

/**
 * @returns the token of the new session, which replaces the current one
 * @throws ApiError NOT_FOUND, FORBIDDEN for a wrong password, VALIDATION_ERROR for a wrong proof
 */
export const removePasskey = async (
  platform: Writer,
  passwords: Passwords,
  person: Person,
  passkeyId: string,
  { password, ...proof }: Confirmed & Proof,
  device: Device,
): Promise<string> => {
  const { db, change, clock, keys, jobs } = platform
  if (!(await query.findPasskey(db, person.userId, passkeyId))) throw notFound()
  await confirmPerson(platform, passwords, person, password)
  return withProof(platform, person.userId, wrongProof(proof), () =>
    changeAccount(change, person.userId, async (tx) => {
      if (!(await useProof(tx, platform, person.userId, holderOfSession('confirm', person.sessionId), proof)))
        return undefined
      const passkey = await query.findPasskey(tx, person.userId, passkeyId)
      if (!passkey) throw notFound()
      await query.deletePasskey(tx, person.userId, passkeyId)
      const isGone = await deleteCodesOfNoFactor(tx, person.userId)
      await recordAudit(tx, { person }, clock, {
        action: 'passkey.removed',
        object: { type: 'passkey', id: passkeyId },
        before: { name: passkey.name },
      })
      await notifyPerson(tx, jobs, clock, person, {
        kind: 'second-factor',
        change: isGone ? 'removed' : 'passkey removed',
        from: device,
      })
      return (await replaceSessions(tx, keys, clock, person, device)).token
    }),
  )
}
