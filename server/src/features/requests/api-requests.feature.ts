import { housekeepingJob } from '../../platform/feature.ts'
import type { ProductFeature } from '../engagements/parts.ts'
import { cloneRequests } from './clone-requests.service.ts'
import { environmentRoutes } from './environments/environments.routes.ts'
import { folderRoutes } from './folders/folders.routes.ts'
import type { RunTools } from './runs/execute/perform.service.ts'
import { sendHandedOver } from './runs/handoffs/handoffs.jobs.ts'
import { cleanRuns, failDeadRunsJob, noteDeadRuns } from './runs/runs.jobs.ts'
import { runRoutes } from './runs/runs.routes.ts'
import { requestTitles } from './saved/request-titles.ts'
import { requestRoutes } from './saved/requests.routes.ts'
import { requestSearch } from './search-requests.queries.ts'
import { sequenceRoutes } from './sequences/sequences.routes.ts'
import { stopSending } from './sequences/stop-sending.queries.ts'
import { createReadImport } from './transfer/import.service.ts'
import { transferRoutes } from './transfer/transfer.routes.ts'
import { emptyRequestTrash } from './trash/empty-trash.service.ts'

interface Parts {
  runTools: RunTools
}
import { resealRequests } from './saved/reseal.service.ts'

export const apiRequests: ProductFeature<Parts> = {
  name: 'api-requests',
  routes: ({ runTools: tools }) => {
    return [
      ...requestRoutes(tools.checkRules),
      ...folderRoutes,
      ...environmentRoutes,
      ...runRoutes(tools),
      ...sequenceRoutes(tools),
      ...transferRoutes(createReadImport()),
    ]
  },
  jobs: [sendHandedOver, housekeepingJob(failDeadRunsJob, noteDeadRuns, '* * * * *')],
  search: requestSearch,
  reseal: resealRequests,
  cleanUp: async (platform) => {
    await cleanRuns(platform)
    await emptyRequestTrash(platform)
  },
  titles: requestTitles,
  engagementPart: {
    stop: stopSending,
    clone: { part: 'requests', copy: cloneRequests },
  },
}
