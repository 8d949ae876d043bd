import { ApiError, unavailable } from '../../../../platform/errors.ts'

/** Stored while the user is at the provider; nothing of it leaves the server except as the protocol requires. */
export interface Exchange {
  state: string
  nonce: string
  codeVerifier: string
  /** The provider has to make the user sign in again. */
  isConfirmation: boolean
}

/** The user as the provider reports it. */
export interface ProviderProfile {
  /** Issuer and subject are the identity; an address is not. */
  issuer: string
  subject: string
  email: string
  isEmailVerified: boolean
  name: string
  /** When the user last signed in there, in milliseconds; undefined if the provider does not report it. */
  authenticatedAtMs: number | undefined
  /** Values of the claim that grants roles; undefined if no claim does. */
  roles: readonly string[] | undefined
  /** Needed to sign out at the provider. */
  session: string
}

/** An identity provider: sign-in and sign-out. */
export interface Provider {
  method: 'oidc' | 'workos'
  /** Shown on the button of the sign-in page. */
  name: string
  issuer: string
  /**
   * @returns the URL to redirect the browser to
   * @throws ApiError 503 while the provider refuses to answer, or has not answered yet
   */
  begin(exchange: Exchange): Promise<URL>
  /**
   * @param query the parameters of the callback
   * @throws ApiError BAD_REQUEST for a response that proves nothing, FORBIDDEN if the provider refused, 503 while it
   *   does not answer
   */
  finish(query: URLSearchParams, exchange: Exchange): Promise<ProviderProfile>
  /** The URL that signs the browser out at the provider; undefined if the provider has no such page. */
  signOutUrl(session: string): Promise<URL | undefined>
}

/** The page of the web interface that the provider redirects to. */
export const CALLBACK_PATH = '/sign-in/callback'

export const providerDown = (name: string, cause: unknown): ApiError =>
  unavailable(`${name} does not respond. Existing sessions keep working; sign in again when it is back.`, cause, 10)

/** A response that proves nothing: it was tampered with, or used before. */
export const untrusted = (cause: unknown): ApiError =>
  new ApiError(
    'BAD_REQUEST',
    'The response of the identity provider is not valid: it does not match this sign-in, or was already used. Start again.',
    {
      cause,
    },
  )
