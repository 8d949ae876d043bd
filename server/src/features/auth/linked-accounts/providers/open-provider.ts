import type { SignInMethod } from '../../../../platform/auth/actor.ts'
import { atMost } from '../../../../platform/concurrency/at-most.ts'
import type { Config } from '../../../../platform/config.ts'
import type { Platform } from '../../../../platform/context.ts'
import type { Logger } from '../../../../platform/log.ts'
import { createOidcProvider } from './oidc.ts'
import { type Provider, providerDown } from './provider.ts'
import { createWorkosProvider, openWorkos } from './workos.ts'

/** Waiting for a provider uses no CPU here, so it needs its own limit (finding S33). */
const MAX_FINISHING = 32

/** The identity provider that the operator chose; undefined: users sign in with passwords. Sends no request yet. */
export const openProvider = async (config: Config, log: Logger): Promise<Provider | undefined> => {
  const workos = await openWorkos(config)
  if (workos) return bounded(createWorkosProvider(config, workos, log))
  if (config.AUTH_PROVIDER === 'oidc') return bounded(createOidcProvider(config, log))
  return undefined
}

const bounded = (provider: Provider): Provider => {
  const finishing = atMost(MAX_FINISHING, () =>
    providerDown(provider.name, new Error(`${MAX_FINISHING} sign-ins wait for its answer`)),
  )
  return { ...provider, finish: (query, exchange) => finishing(() => provider.finish(query, exchange)) }
}

/** If the provider is down, the user is still signed out here. */
export const signOutAtProvider =
  (provider: Provider | undefined) =>
  async ({ log }: Pick<Platform, 'log'>, session: string, method: SignInMethod): Promise<string | undefined> => {
    // The session predates this provider, which does not know it.
    if (provider?.method !== method) return undefined
    try {
      return (await provider.signOutUrl(session))?.toString()
    } catch (error) {
      log.warn({ err: error }, 'a user signed out here but not at the identity provider')
      return undefined
    }
  }
