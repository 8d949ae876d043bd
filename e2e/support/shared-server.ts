import type { ServerProcess, Stage } from '../../server/test/support/server-process.ts'

/** Where browsers find a server, and where the server puts its mails. */
export interface StartedServer {
  origin: string
  dataDir: string
}

/** The server that all workers share. */
export interface SharedServer extends StartedServer {
  /** Ports of loopback, all of it that the server may ask. */
  reachable: number[]
  /** The port of loopback at which the server asks for names. A test that answers there is the only one that does. */
  dnsPort: number
}

/** Where the run keeps its server for the workers. */
export const SHARED_VARIABLE = 'SORTIE_E2E_SERVER'

/** Starts a server that ends with the stage, and writes mails to files. */
export const startServer = async (stage: Stage, env: Record<string, string>): Promise<StartedServer & { server: ServerProcess }> => {
  const server = await stage.server({ env: { FRONTEND_URL: undefined, INVITATION_LIMIT_PER_HOUR: '1000', ...env } })
  await server.ready()
  return { origin: `http://localhost:${server.port}`, dataDir: server.dataDir, server }
}

export const sharedServer = (): SharedServer => JSON.parse(process.env[SHARED_VARIABLE] as string) as SharedServer

/** A port of loopback that the server may ask: of two for each worker, by their place among all. */
export const reachablePort = (index: number): number => sharedServer().reachable[index] as number
