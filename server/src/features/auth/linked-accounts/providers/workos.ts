import type { WorkOS } from '@workos-inc/node'
import type { Config } from '../../../../platform/config.ts'
import { sha256 } from '../../../../platform/crypto.ts'
import { forbidden } from '../../../../platform/errors.ts'
import type { Logger } from '../../../../platform/log.ts'
import { createDiscovery } from './discovery.ts'
import { CALLBACK_PATH, type Provider, type ProviderProfile, providerDown, untrusted } from './provider.ts'

const TIMEOUT_MS = 5_000

/**
 * Loads the official library only if it is used, because it is large. @returns undefined unless `AUTH_PROVIDER=workos`
 */
export const openWorkos = async (config: Config): Promise<WorkOS | undefined> => {
  if (config.AUTH_PROVIDER !== 'workos') return undefined
  const library = await import('@workos-inc/node')
  const { hostname, port, protocol } = new URL(config.WORKOS_API_URL)
  return new library.WorkOS({
    apiKey: config.WORKOS_API_KEY as string,
    clientId: config.WORKOS_CLIENT_ID as string,
    apiHostname: hostname,
    https: protocol === 'https:',
    ...(port && { port: Number(port) }),
    timeout: TIMEOUT_MS,
    maxRetries: 0,
  })
}

/** A user id is unique within the environment of a client id. */
export const workosIssuer = (config: Pick<Config, 'WORKOS_CLIENT_ID'>): string => `workos:${config.WORKOS_CLIENT_ID}`

/** WorkOS AuthKit: authorization code with state and PKCE; WorkOS ids are the identity. */
export const createWorkosProvider = (config: Config, workos: WorkOS, log: Logger): Provider => {
  const name = config.AUTH_PROVIDER_NAME ?? 'WorkOS'
  const issuer = workosIssuer(config)
  const discovery = createDiscovery(name, log, () => requireUp(workos, config, name))
  return {
    method: 'workos',
    name,
    issuer,
    begin: async (exchange) => {
      await discovery.current()
      return new URL(
        workos.userManagement.getAuthorizationUrl({
          provider: 'authkit',
          redirectUri: config.FRONTEND_URL + CALLBACK_PATH,
          state: exchange.state,
          codeChallenge: sha256(exchange.codeVerifier).toString('base64url'),
          codeChallengeMethod: 'S256',
          ...(exchange.isConfirmation && { prompt: 'login' }),
        }),
      )
    },
    finish: async (query, exchange) => {
      const [code, error] = [query.get('code'), query.get('error')]
      if (error) throw forbidden(`${name} did not let you in (${error.slice(0, 100)}).`)
      if (!code) throw untrusted(new Error('no code came'))
      try {
        const response = await workos.userManagement.authenticateWithCode({ code, codeVerifier: exchange.codeVerifier })
        // A WorkOS dashboard user who impersonates this user: the two could not be distinguished here.
        if (response.impersonator)
          throw forbidden(
            `${name} reports that another user is impersonating this user. Impersonated sign-ins are not accepted.`,
          )
        return profileOf(issuer, response)
      } catch (failure) {
        throw translate(failure, name)
      }
    },
    signOutUrl: async (session) =>
      new URL(workos.userManagement.getLogoutUrl({ sessionId: session, returnTo: `${config.FRONTEND_URL}/sign-in` })),
  }
}

/** Prevents redirects to a provider that is down. @throws ApiError 503 */
const requireUp = async (workos: WorkOS, config: Config, name: string): Promise<void> => {
  try {
    await workos.get(`/sso/jwks/${config.WORKOS_CLIENT_ID}`)
  } catch (failure) {
    throw providerDown(name, failure)
  }
}

const profileOf = (
  issuer: string,
  { user, accessToken }: { user: WorkosUser; accessToken: string },
): ProviderProfile => ({
  issuer,
  subject: user.id,
  email: user.email,
  isEmailVerified: user.emailVerified === true,
  name: [user.firstName, user.lastName].filter(Boolean).join(' ') || user.email,
  authenticatedAtMs: user.lastSignInAt ? Date.parse(user.lastSignInAt) : undefined,
  roles: undefined,
  session: sessionOf(accessToken),
})

interface WorkosUser {
  id: string
  email: string
  emailVerified: unknown
  firstName: string | null
  lastName: string | null
  lastSignInAt: string | null
}

/** `sid` of the token, which came from WorkOS itself: the session that signing out there ends. */
const sessionOf = (accessToken: string): string => {
  const [, payload = ''] = accessToken.split('.')
  const { sid } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { sid?: unknown }
  if (typeof sid !== 'string') throw untrusted(new Error('the access token names no session'))
  return sid
}

/** The library's errors carry the response status; one without a status means no response. */
const translate = (failure: unknown, name: string): unknown => {
  if (failure instanceof Error && failure.name === 'ApiError') return failure
  const status = (failure as { status?: unknown }).status
  if (status === 403) return forbidden(`${name} did not let you in.`)
  if (status === 400 || status === 404 || status === 422) return untrusted(failure)
  return providerDown(name, failure)
}
