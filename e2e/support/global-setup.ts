import { initialisedCluster } from '../../server/test/support/initialised-cluster.ts'
import { CLUSTER_VARIABLE, createStage } from '../../server/test/support/server-process.ts'
import { SHARED_VARIABLE, startServer } from './shared-server.ts'
import { WEBHOOKS } from './webhooks.ts'

/** One server for all workers. Tests that need settings or a state of their own start theirs. */
export default async (): Promise<() => Promise<void>> => {
  process.env[CLUSTER_VARIABLE] = await initialisedCluster()
  const stage = createStage()
  const { origin, dataDir } = await startServer(stage, WEBHOOKS)
  process.env[SHARED_VARIABLE] = JSON.stringify({ origin, dataDir })
  return () => stage.close()
}
