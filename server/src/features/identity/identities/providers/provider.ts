import { ApiError, unavailable } from '../../../../platform/errors.ts'

/** What is kept while somebody is at the provider; none of it leaves the server but as the protocol wants. */
export interface Exchange {
  state: string
  nonce: string
  codeVerifier: string
  /** The provider has to make the person sign in anew. */
  isConfirmation: boolean
}

/** Who the provider says came back. */
export interface ProviderProfile {
  /** Issuer and subject are the identity; an address is not. */
  issuer: string
  subject: string
  email: string
  isEmailVerified: boolean
  name: string
  /** When the person last signed in there, in milliseconds; undefined where the provider does not say. */
  authenticatedAtMs: number | undefined
  /** Values of the claim that gives roles; undefined where no claim does. */
  roles: readonly string[] | undefined
  /** What signing out there needs. */
  session: string
}

/** An identity provider, as far as signing in and out goes. */
export interface Provider {
  method: 'oidc' | 'workos'
  /** For the button of the sign-in page. */
  name: string
  issuer: string
  /** Where to send the browser. @throws ApiError 503 while the provider refuses to answer, or has not answered yet */
  begin(exchange: Exchange): Promise<URL>
  /**
   * @param query what the provider sent the browser back with
   * @throws ApiError BAD_REQUEST for an answer that proves nothing, FORBIDDEN where the provider refused, 503 while it does not answer
   */
  finish(query: URLSearchParams, exchange: Exchange): Promise<ProviderProfile>
  /** Where to send the browser so that it is signed out there too; undefined where the provider offers no such page. */
  signOutUrl(session: string): Promise<URL | undefined>
}

/** The page of the web interface that the provider sends browsers back to. */
export const CALLBACK_PATH = '/sign-in/callback'

export const providerDown = (name: string, cause: unknown): ApiError =>
  unavailable(`${name} does not answer. Whoever is signed in stays so; signing in works again once it does.`, cause, 10)

/** An answer that proves nothing: somebody meddled with it, or it was used before. */
export const untrusted = (cause: unknown): ApiError =>
  new ApiError('BAD_REQUEST', 'The answer of the identity provider cannot be used: it is not the one that was expected, or was used before. Start again.', {
    cause,
  })
