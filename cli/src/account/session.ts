import type { Calls } from '@sortie/client/calls.ts'
import { createCalls } from '@sortie/client/create-calls.ts'
import { CALLS, VERSION } from 'virtual:contract'
import type { Environment } from '../program/environment.ts'
import { CliError, EXIT, usageError } from '../program/exit.ts'
import { readCredentials } from './credentials.ts'

/** The instance writes its address here when it sends this file. */
const BUILT_FOR = '@@SORTIE_INSTANCE@@'

/** Address of the instance that this file came from; undefined for one that was built by hand. */
export const ownInstance = (): string | undefined => (URL.canParse(BUILT_FOR) ? instanceAddress(BUILT_FOR) : undefined)

export type Api = Calls<'key'>

/** How a command reaches its instance. */
export interface Session {
  address: string
  key: string
  api: Api
  /** As `sortie use` chose it. */
  engagement: { id: string; name: string } | undefined
}

/** The calls of the API with this key. */
export const openApi = (address: string, key: string): Api =>
  createCalls<'key'>(
    CALLS,
    { withKeys: true },
    {
      origin: address,
      headers: () => ({ authorization: `Bearer ${key}`, 'user-agent': `sortie-cli/${VERSION}` }),
      withCookies: false,
    },
  )

/**
 * The instance and key of `SORTIE_URL` and `SORTIE_KEY`, otherwise those that `sortie login` stored.
 *
 * @throws CliError if there is no key
 */
export const openSession = (environment: Environment): Session => {
  const { SORTIE_URL: url, SORTIE_KEY: keyOfVariable, SORTIE_ENGAGEMENT: engagementId } = environment.variables
  const credentials = readCredentials(environment)
  const address = url !== undefined && url !== '' ? instanceAddress(url) : (credentials.current ?? ownInstance())
  const stored = address === undefined ? undefined : credentials.instances[address]
  const key = keyOfVariable !== undefined && keyOfVariable !== '' ? keyOfVariable : stored?.key
  if (address === undefined || key === undefined)
    throw new CliError(EXIT.signedOut, 'You are not signed in: run `sortie login`.')
  return {
    address,
    key,
    api: openApi(address, key),
    engagement: engagementId ? { id: engagementId, name: engagementId } : stored?.engagement,
  }
}

/** @throws CliError if no engagement is chosen */
export const requireEngagement = (session: Session, chosen: string | undefined): string => {
  const id = chosen ?? session.engagement?.id
  if (id === undefined)
    throw usageError('No engagement is chosen: run `sortie use <engagement>`, or give --engagement <id>.')
  return id
}

/** The address of an instance as people write it: `sortie.example`, `https://sortie.example/api/`. */
export const instanceAddress = (written: string): string => {
  const withScheme = written.includes('://') ? written : `https://${written}`
  if (!URL.canParse(withScheme)) throw usageError('This is not the address of an instance.')
  const url = new URL(withScheme)
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw usageError('The address of an instance starts with https://.')
  if (url.username !== '' || url.password !== '') throw usageError('The address of an instance has no user in it.')
  const parts = url.pathname.split('/').filter((part) => part !== '')
  if (parts.at(-1) === 'api') parts.pop()
  return [url.origin, ...parts].join('/')
}
