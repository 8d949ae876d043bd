import { execFileSync } from 'node:child_process'
import type { FullConfig } from '@playwright/test'
import { CLUSTER_VARIABLE, createStage, freePort } from '../../../server/test/support/app/server-process.ts'
import { initialisedCluster } from '../../../server/test/support/database/initialised-cluster.ts'
import { SHARED_VARIABLE, type SharedServer, startServer } from './shared-server.ts'
import { WEBHOOKS } from './webhooks.ts'

/** One server for all workers. Tests that need separate settings or state start their own. */
export default async ({ workers }: FullConfig): Promise<() => Promise<void>> => {
  execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' })
  process.env[CLUSTER_VARIABLE] = await initialisedCluster()
  const stage = createStage()
  const reachable = await Promise.all(Array.from({ length: 2 * workers }, freePort))
  const dnsPort = await freePort()
  const EGRESS_ALLOW = reachable.map((port) => `127.0.0.1:${port}`).join()
  const { origin, dataDir } = await startServer(stage, {
    ...WEBHOOKS,
    EGRESS_ALLOW,
    DNS_SERVERS: `127.0.0.1:${dnsPort}`,
    RUN_BODY_LIMIT_BYTES: '16777216',
  })
  process.env[SHARED_VARIABLE] = JSON.stringify({ origin, dataDir, reachable, dnsPort } satisfies SharedServer)
  return () => stage.close()
}
