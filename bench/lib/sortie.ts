import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
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
})

/** The server as it is started for real, on this database. */
export const startSortie = async (databaseUrl: string, env: Record<string, string> = {}, script = 'server/src/main.ts'): Promise<Server> => {
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
