import type { Input, Output } from '@sortie/client/calls.ts'
import { messageOf } from '../../api/api.ts'
import { loadPart } from '../../ui/load-part.ts'

type Question = Output<'startPasskeySignIn'>['data']
type Wish = Output<'startPasskey'>['data']
export type PasskeyAnswer = Input<'signInWithPasskey'>['body']['passkey']
type NewPasskey = Input<'confirmPasskey'>['body']['passkey']

/** The browser could not create or use a passkey. The message is for the user. */
class PasskeyError extends Error {}

/** True if this browser supports passkeys in this context. */
export const supportsPasskeys = (): boolean => typeof globalThis.PublicKeyCredential === 'function'

/** Read when a passkey is asked for: most pages never do. */
const library = () => loadPart(() => import('@simplewebauthn/browser'))

/** Prompts the user for a passkey. @throws PasskeyError */
export const answerWithPasskey = async (question: Question): Promise<PasskeyAnswer> => {
  const { startAuthentication } = await library()
  const { id, response } = await explained(() => startAuthentication({ optionsJSON: question }))
  const { clientDataJSON, authenticatorData, signature } = response
  return { id, response: { clientDataJSON, authenticatorData, signature } }
}

/** Prompts the user to create a passkey. @throws PasskeyError */
export const createPasskey = async (wish: Wish): Promise<NewPasskey> => {
  const { startRegistration } = await library()
  const { id, response } = await explained(() => startRegistration({ optionsJSON: wish }))
  const { clientDataJSON, attestationObject, transports = [] } = response
  return { id, response: { clientDataJSON, attestationObject, transports } }
}

/** Error message for the user, one sentence, from browser or server. */
export const passkeyMessageOf = (error: unknown): string =>
  error instanceof PasskeyError ? error.message : messageOf(error)

const explained = async <T>(work: () => Promise<T>): Promise<T> => {
  if (!supportsPasskeys())
    throw new PasskeyError('This browser does not support passkeys, or this page was not opened over https.')
  try {
    return await work()
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED') {
      throw new PasskeyError('This device or key already holds a passkey of your account.')
    }
    if (error instanceof Error && error.name === 'SecurityError') {
      throw new PasskeyError(
        'This page was not opened at the address that passkeys are bound to. Open the server by its own name.',
      )
    }
    throw new PasskeyError('The passkey did not respond: it was cancelled, or took too long. Try again.')
  }
}
