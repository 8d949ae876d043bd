import type { SignInMethod } from '../../../../platform/auth/actor.ts'
import type { Config } from '../../../../platform/config.ts'
import type { Platform } from '../../../../platform/http/context.ts'
import { createOidcProvider } from './oidc.ts'
import type { Provider } from './provider.ts'
import { createWorkosProvider, openWorkos } from './workos.ts'

/** The identity provider that the operator chose; undefined: people sign in with passwords. Nothing is asked of it yet. */
export const openProvider = async (config: Config): Promise<Provider | undefined> => {
  const workos = await openWorkos(config)
  if (workos) return createWorkosProvider(config, workos)
  if (config.AUTH_PROVIDER === 'oidc') return createOidcProvider(config)
  return undefined
}

/** A provider that is down does not keep anybody from signing out here. */
export const signOutAtProvider =
  (provider: Provider | undefined) =>
  async ({ log }: Pick<Platform, 'log'>, session: string, method: SignInMethod): Promise<string | undefined> => {
    // Made before the operator chose this provider: it knows nothing of it.
    if (provider?.method !== method) return undefined
    try {
      return (await provider.signOutUrl(session))?.toString()
    } catch (error) {
      log.warn({ err: error }, 'somebody signed out here and not at the identity provider')
      return undefined
    }
  }
