import * as client from 'openid-client'
import type { Config } from '../../../../platform/config.ts'
import { isLoopback } from '../../../../platform/config/config-values.ts'
import { forbidden } from '../../../../platform/errors.ts'
import type { Logger } from '../../../../platform/log.ts'
import { createDiscovery } from './discovery.ts'
import {
  CALLBACK_PATH,
  type Exchange,
  type Provider,
  type ProviderProfile,
  providerDown,
  untrusted,
} from './provider.ts'

/** Limits each request to the provider. */
const TIMEOUT_SECONDS = 5
/** The provider may show pages after `prompt=login`: the maximum age of the sign-in when the user returns. */
const CONFIRMATION_MAX_AGE_SECONDS = 5 * 60

/** Any OpenID Connect provider, found by discovery: authorization code with PKCE, state and nonce. */
export const createOidcProvider = (config: Config, log: Logger): Provider => {
  const issuer = config.OIDC_ISSUER as string
  const name = config.AUTH_PROVIDER_NAME ?? new URL(issuer).hostname
  const discovery = createDiscovery(name, log, async () => {
    try {
      return await discover(config, issuer)
    } catch (error) {
      throw providerDown(name, error)
    }
  })
  return {
    method: 'oidc',
    name,
    issuer,
    begin: async (exchange) => {
      const found = await discovery.current()
      return client.buildAuthorizationUrl(found, {
        redirect_uri: config.FRONTEND_URL + CALLBACK_PATH,
        scope: config.OIDC_SCOPE,
        state: exchange.state,
        nonce: exchange.nonce,
        code_challenge: await client.calculatePKCECodeChallenge(exchange.codeVerifier),
        code_challenge_method: 'S256',
        ...(exchange.isConfirmation &&
          (saysWhen(found) ? { prompt: 'login', max_age: '0' } : { prompt: 'select_account' })),
      })
    },
    finish: async (query, exchange) => {
      const found = await discovery.last()
      const url = new URL(`${config.FRONTEND_URL}${CALLBACK_PATH}?${query.toString()}`)
      try {
        const profile = profileOf(config, await redeem(found, url, exchange))
        return exchange.isConfirmation && !saysWhen(found) ? { ...profile, authenticatedAtMs: Date.now() } : profile
      } catch (error) {
        throw translate(error, name)
      }
    },
    signOutUrl: async (session) => {
      const found = await discovery.last()
      if (!found.serverMetadata().end_session_endpoint) return undefined
      return client.buildEndSessionUrl(found, {
        id_token_hint: session,
        post_logout_redirect_uri: `${config.FRONTEND_URL}/sign-in`,
      })
    },
  }
}

/**
 * True if the provider reports when the user signed in. Google does not, nor does it ask for credentials again: there,
 * the user confirms by choosing the account in this browser, which a stolen session cookie does not allow.
 */
const saysWhen = (found: client.Configuration): boolean =>
  found.serverMetadata().claims_supported?.includes('auth_time') ?? true

/** The library checks state, `iss` of the callback (RFC 9207), signature, issuer, audience, times and nonce. */
const redeem = async (found: client.Configuration, url: URL, exchange: Exchange) => {
  const tokens = await client.authorizationCodeGrant(found, url, {
    expectedState: exchange.state,
    expectedNonce: exchange.nonce,
    pkceCodeVerifier: exchange.codeVerifier,
    idTokenExpected: true,
    ...(exchange.isConfirmation && saysWhen(found) && { maxAge: CONFIRMATION_MAX_AGE_SECONDS }),
  })
  const claims = tokens.claims()
  if (!claims || tokens.id_token === undefined) throw untrusted(new Error('no id token came'))
  // Providers may leave the profile out of the id token; the library requires the same subject in both.
  const isWhole = claims.email !== undefined && claims.name !== undefined
  const more =
    isWhole || !found.serverMetadata().userinfo_endpoint
      ? {}
      : await client.fetchUserInfo(found, tokens.access_token, claims.sub)
  return { idToken: tokens.id_token, claims: { ...more, ...claims } as client.IDToken }
}

const profileOf = (
  config: Config,
  { idToken, claims }: { idToken: string; claims: client.IDToken },
): ProviderProfile => {
  const { email, name, preferred_username: username } = claims
  const address = typeof email === 'string' ? email : ''
  return {
    issuer: claims.iss,
    subject: claims.sub,
    email: address,
    // The text "true" is not true (abuse case S10).
    isEmailVerified: address !== '' && claims[config.OIDC_EMAIL_VERIFIED_CLAIM] === true,
    name: [name, username, address].find(
      (candidate) => typeof candidate === 'string' && candidate.trim() !== '',
    ) as string,
    authenticatedAtMs: claims.auth_time === undefined ? undefined : claims.auth_time * 1000,
    roles: config.OIDC_ROLE_CLAIM === undefined ? undefined : valuesOf(claims[config.OIDC_ROLE_CLAIM]),
    session: idToken,
  }
}

const valuesOf = (claim: unknown): string[] =>
  (Array.isArray(claim) ? claim : [claim]).filter((value) => typeof value === 'string')

const translate = (error: unknown, name: string): unknown => {
  if (error instanceof client.AuthorizationResponseError) {
    return error.error === 'server_error' || error.error === 'temporarily_unavailable'
      ? providerDown(name, error)
      : forbidden(`${name} did not let you in (${error.error}).`)
  }
  if (error instanceof client.ResponseBodyError)
    return error.error === 'invalid_grant' ? untrusted(error) : providerDown(name, error)
  if (error instanceof client.WWWAuthenticateChallengeError) return providerDown(name, error)
  if (error instanceof client.ClientError) return isOutage(error) ? providerDown(name, error) : untrusted(error)
  return error instanceof TypeError ? providerDown(name, error) : error
}

/** No response, a timeout, or a server error. */
const isOutage = (error: client.ClientError): boolean => {
  const response = error.cause instanceof Response ? error.cause : undefined
  return (
    error.code === 'OAUTH_TIMEOUT' || error.code === 'OAUTH_ABORT' || (response !== undefined && response.status >= 500)
  )
}

const discover = (config: Config, issuer: string): Promise<client.Configuration> =>
  client.discovery(
    new URL(issuer),
    config.OIDC_CLIENT_ID as string,
    {},
    client.ClientSecretPost(config.OIDC_CLIENT_SECRET),
    {
      timeout: TIMEOUT_SECONDS,
      // Checks the id token's signature although it comes over TLS from the token endpoint.
      execute: [
        client.enableNonRepudiationChecks,
        ...(isLoopback(new URL(issuer).hostname) ? [client.allowInsecureRequests] : []),
      ],
    },
  )
