import type { Scope } from '@sortie/contract/core/scopes.ts'
import { DEFAULT_ADMIN_EMAIL } from '../../../src/platform/config/auth.ts'
import type { ConnectionSettings } from '../../../src/platform/database/connection/open.ts'
import { ADMIN_PASSWORD } from '../app/server-process.ts'
import { TestClient } from '../app/test-client.ts'

/** The owner of the first organization, signed in. */
export const signInAsOwner = async (
  origin: string,
  email = DEFAULT_ADMIN_EMAIL,
  password = ADMIN_PASSWORD,
): Promise<TestClient> => {
  const signIn = await new TestClient(origin).post('/api/auth/sign-in/email', { email, password })
  if (signIn.status !== 200) throw new Error(`sign-in answered ${signIn.text}`)
  const cookie = signIn.headers
    .getSetCookie()
    .map((text) => text.split(';')[0])
    .join('; ')
  const { body } = await new TestClient(origin, { cookie }).get('/api/web/organizations')
  return new TestClient(origin, { cookie, 'x-organization': body.data[0].id })
}

/** A client with a new API key, made by the owner. */
export const withNewKey = async (
  owner: TestClient,
  scopes: Scope[] = ['organizations:read', 'organizations:write'],
) => {
  const response = await owner.post('/api/web/api-keys', { name: 'test key', environment: 'live', scopes })
  if (response.status !== 201) throw new Error(`creating a key answered ${response.text}`)
  const { id, value } = response.body.data as { id: string; value: string }
  return Object.assign(new TestClient(owner.origin, { authorization: `Bearer ${value}` }), { keyId: id, value })
}

/** Settings as an address for `DATABASE_URL`. */
export const databaseUrl = (settings: ConnectionSettings): string =>
  'connectionString' in settings
    ? settings.connectionString
    : `postgres:///${settings.database}?host=${encodeURIComponent(settings.host)}&port=${settings.port}&user=${settings.user}`

/** The database address through a proxy on this port. */
export const proxiedUrl = (settings: ConnectionSettings, port: number): string => {
  if (!('connectionString' in settings)) return `postgres://${settings.user}@127.0.0.1:${port}/${settings.database}`
  const url = new URL(settings.connectionString)
  url.hostname = '127.0.0.1'
  url.port = String(port)
  url.searchParams.delete('host')
  url.searchParams.delete('port')
  return url.toString()
}

/** The address at which a proxy finds the database. */
export const databaseAddress = (settings: ConnectionSettings): { path: string } | { host: string; port: number } => {
  if (!('connectionString' in settings)) return { path: `${settings.host}/.s.PGSQL.${settings.port}` }
  const url = new URL(settings.connectionString)
  const host = url.searchParams.get('host') ?? url.hostname
  const port = Number(url.searchParams.get('port') ?? (url.port || 5432))
  return host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port }
}
