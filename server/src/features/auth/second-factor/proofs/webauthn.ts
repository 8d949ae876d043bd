import { isIP } from 'node:net'
import type { NewPasskey, PasskeyAnswer, PasskeyOptions, PasskeyWish } from '@sortie/contract/account/sessions.ts'
import type { Static } from 'typebox'
import type { Config } from '../../../../platform/config.ts'

export type Answer = Static<typeof PasskeyAnswer>
export type Created = Static<typeof NewPasskey>

/** ES256, EdDSA and RS256: supported by the authenticators in use. */
const ALGORITHMS = [-7, -8, -257]
const TIMEOUT_MS = 120_000

/** Loaded on first use: with its dependencies it is a tenth of what a start loads. */
const library = () => import('@simplewebauthn/server')

/** A stored passkey: the fields that a challenge needs. */
interface Known {
  credential_id: Buffer
  transports: string[]
}

type Site = Pick<Config, 'FRONTEND_URL'>

/** The name that passkeys are bound to: the host of `FRONTEND_URL`. */
export const relyingParty = (config: Site): string => new URL(config.FRONTEND_URL).hostname

/** Browsers create passkeys for names, over https or on localhost; not for network addresses. */
export const canHavePasskeys = (config: Site): boolean => {
  const { hostname, protocol } = new URL(config.FRONTEND_URL)
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) return false
  return protocol === 'https:' || hostname === 'localhost' || hostname.endsWith('.localhost')
}

/** Authenticators identify the account by a hash of its id and display its address. */
export const registrationOptions = async (
  config: Site,
  user: { handle: Buffer; name: string; email: string },
  known: readonly Known[],
): Promise<Static<typeof PasskeyWish>> => {
  const rpID = relyingParty(config)
  const { generateRegistrationOptions } = await library()
  const options = await generateRegistrationOptions({
    rpName: 'Sortie',
    rpID,
    userID: new Uint8Array(user.handle),
    userName: user.email,
    userDisplayName: user.name,
    timeout: TIMEOUT_MS,
    attestationType: 'none',
    supportedAlgorithmIDs: ALGORITHMS,
    excludeCredentials: known.map(descriptorOf),
  })
  return {
    challenge: options.challenge,
    rp: { id: rpID, name: options.rp.name },
    user: options.user,
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ alg, type: 'public-key' })),
    timeout: TIMEOUT_MS,
    excludeCredentials: known.map(descriptorOf),
    // The user types the account's address first, so no slot on a security key is used up.
    authenticatorSelection: { residentKey: 'discouraged', requireResidentKey: false, userVerification: 'preferred' },
    attestation: 'none',
  }
}

export const authenticationOptions = async (
  config: Site,
  known: readonly Known[],
): Promise<Static<typeof PasskeyOptions>> => {
  const rpId = relyingParty(config)
  const { generateAuthenticationOptions } = await library()
  const { challenge } = await generateAuthenticationOptions({ rpID: rpId, timeout: TIMEOUT_MS })
  return {
    challenge,
    rpId,
    timeout: TIMEOUT_MS,
    userVerification: 'preferred',
    allowCredentials: known.map(descriptorOf),
  }
}

const descriptorOf = ({ credential_id, transports }: Known) => ({
  id: credential_id.toString('base64url'),
  type: 'public-key' as const,
  transports,
})

/**
 * Checks challenge, origin, name, user presence and the key's format. An attestation certificate is refused unread:
 * none is requested, and following its links would let a stranger choose what this server connects to.
 *
 * @returns undefined for a response that does not match
 */
export const checkCreated = async (config: Site, created: Created, challenge: string) => {
  const { verifyRegistrationResponse } = await library()
  const { decodeAttestationObject, isoBase64URL } = await import('@simplewebauthn/server/helpers')
  try {
    const decoded = decodeAttestationObject(isoBase64URL.toBuffer(created.response.attestationObject))
    const format: string = decoded.get('fmt')
    if (format !== 'none' && (format !== 'packed' || decoded.get('attStmt').get('x5c') !== undefined)) return undefined
    const { clientDataJSON, attestationObject, transports = [] } = created.response
    const result = await verifyRegistrationResponse({
      response: {
        id: created.id,
        rawId: created.id,
        type: 'public-key',
        clientExtensionResults: {},
        response: { clientDataJSON, attestationObject },
      },
      expectedChallenge: challenge,
      expectedOrigin: new URL(config.FRONTEND_URL).origin,
      expectedRPID: relyingParty(config),
      requireUserVerification: false,
      supportedAlgorithmIDs: ALGORITHMS,
    })
    if (!result.verified) return undefined
    const { id, publicKey, counter } = result.registrationInfo.credential
    return {
      credentialId: Buffer.from(id, 'base64url'),
      publicKey: Buffer.from(publicKey),
      signCount: counter,
      transports,
    }
  } catch {
    // The library throws for every mismatch, malformed responses included.
    return undefined
  }
}

/**
 * Checks challenge, origin, name, user presence, signature, and that the counter has grown.
 *
 * @returns the new counter; undefined for a response that does not match
 */
export const checkAnswer = async (
  config: Site,
  answer: Answer,
  challenge: string,
  passkey: { publicKey: Buffer; signCount: number },
): Promise<number | undefined> => {
  const { verifyAuthenticationResponse } = await library()
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: {
        id: answer.id,
        rawId: answer.id,
        type: 'public-key',
        clientExtensionResults: {},
        response: answer.response,
      },
      expectedChallenge: challenge,
      expectedOrigin: new URL(config.FRONTEND_URL).origin,
      expectedRPID: relyingParty(config),
      credential: { id: answer.id, publicKey: new Uint8Array(passkey.publicKey), counter: passkey.signCount },
      requireUserVerification: false,
    })
    return verified ? authenticationInfo.newCounter : undefined
  } catch {
    // The library throws for every mismatch.
    return undefined
  }
}
