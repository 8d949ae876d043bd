import { type Feature, job } from '../../platform/feature.ts'
import type { Platform } from '../../platform/http/context.ts'
import { createOutbound } from '../../platform/outbound/outbound.ts'
import { environmentRoutes } from './environments/environments.routes.ts'
import { folderRoutes } from './folders/folders.routes.ts'
import type { RunTools } from './runs/execute.service.ts'
import { cleanRuns, failDeadRunsJob, noteDeadRuns } from './runs/runs.jobs.ts'
import { runRoutes } from './runs/runs.routes.ts'
import { requestRoutes } from './saved/requests.routes.ts'
import { createEvaluator } from './sending/evaluator.ts'
import { sequenceRoutes } from './sequences/sequences.routes.ts'
import { createReadImport } from './transfer/import.service.ts'
import { transferRoutes } from './transfer/transfer.routes.ts'

interface Parts {
  platform: Platform
  findRules: RunTools['findRules']
}

export const apiRequests: Feature<Parts> = {
  name: 'api-requests',
  routes: ({ platform, findRules }) => {
    const tools = { outbound: createOutbound(platform.config), evaluate: createEvaluator(), findRules }
    return [...requestRoutes, ...folderRoutes, ...environmentRoutes, ...runRoutes(tools), ...sequenceRoutes(tools), ...transferRoutes(createReadImport())]
  },
  jobs: [job(failDeadRunsJob, noteDeadRuns, '* * * * *')],
  cleanUp: cleanRuns,
}
