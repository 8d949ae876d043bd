import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { DEFAULT_ADMIN_EMAIL, DEFAULT_ADMIN_PASSWORD, VARIABLES } from '../../server/src/platform/config.ts'
import { type Server, startServer } from './processes.ts'

export const MEMBERS = '/api/v1/organizations/current/members'
export const ORGANIZATION = '/api/v1/organizations/current'

/** The environment of a server whose limits are never reached. */
export const sortieEnvironment = (directory: string): Record<string, string> => ({
  SESSION_SECRET: 'a secret of the benchmarks, long enough to be one',
  DATA_DIR: directory,
  STORAGE_PATH: path.join(directory, 'uploads'),
  RATE_LIMIT_MAX: '1000000000',
  RATE_LIMIT_ANONYMOUS_MAX: '1000000000',
  OVERLOAD_MAX_REQUESTS: '100000',
  OVERLOAD_DELAY_MS: '0',
  // As npm start does: what was compiled once is read the next time.
  NODE_COMPILE_CACHE: path.resolve('node_modules/.cache/compile'),
})

/** Over those: refusals for overload as every server has them that is told nothing else. */
export const REFUSING_OVERLOAD = { OVERLOAD_MAX_REQUESTS: VARIABLES.OVERLOAD_MAX_REQUESTS.fallback, OVERLOAD_DELAY_MS: VARIABLES.OVERLOAD_DELAY_MS.fallback }

/** The server as it is started for real, on this database. */
export const startSortie = async (databaseUrl: string, env: Record<string, string> = {}, script = 'server/src/process/main.ts'): Promise<Server> => {
  const directory = mkdtempSync(path.join(os.tmpdir(), 'sortie-bench-data-'))
  const server = await startServer({ script, readyPath: '/api/health', env: { ...sortieEnvironment(directory), DATABASE_URL: databaseUrl, ...env } })
  return {
    ...server,
    stop: async () => {
      await server.stop()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

/** The owner of the first organization, signed in with the default password. */
export const signIn = async (origin: string) => {
  const response = await fetch(`${origin}/api/auth/sign-in/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: DEFAULT_ADMIN_EMAIL, password: DEFAULT_ADMIN_PASSWORD }),
  })
  const cookie = response.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')
  const list = async (path: string, headers: Record<string, string>) =>
    ((await (await fetch(origin + path, { headers })).json()) as { data: { id: string; role: string }[] }).data
  const organizationId = (await list('/api/web/organizations', { cookie }))[0]?.id ?? ''
  const headers = { cookie, 'x-organization': organizationId }
  const userId = (await list('/api/web/organizations/current/members?role=owner', headers))[0]?.id ?? ''
  return {
    cookie,
    organizationId,
    userId,
    deleteKey: async (id: string) => {
      const { status } = await fetch(`${origin}/api/web/api-keys/${id}`, { method: 'DELETE', headers })
      if (status !== 200) throw new Error(`deleting a key answered ${status}`)
    },
  }
}
