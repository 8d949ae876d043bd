import type { ServerProcess, Stage } from '../../../server/test/support/app/server-process.ts'

/** The origin of a server, and its directory of mails. */
export interface StartedServer {
  origin: string
  dataDir: string
}

/** The server that all workers share. */
export interface SharedServer extends StartedServer {
  /** The only loopback ports that the server may reach. */
  reachable: number[]
  /** The loopback port of the server's name server. Only one test may answer there. */
  dnsPort: number
}

/** The variable in which the run passes its server to the workers. */
export const SHARED_VARIABLE = 'SORTIE_E2E_SERVER'

/** Starts a server that ends with the stage, and writes mails to files. */
export const startServer = async (
  stage: Stage,
  env: Record<string, string>,
): Promise<StartedServer & { server: ServerProcess }> => {
  const server = await stage.server({ env: { FRONTEND_URL: undefined, INVITATION_LIMIT_PER_HOUR: '1000', ...env } })
  await server.ready()
  return { origin: `http://localhost:${server.port}`, dataDir: server.dataDir, server }
}

export const sharedServer = (): SharedServer => JSON.parse(process.env[SHARED_VARIABLE] as string) as SharedServer

/** A loopback port that the server may reach: two for each worker, by their index among all. */
export const reachablePort = (index: number): number => sharedServer().reachable[index] as number
