import { type Feature, job } from '../../platform/feature.ts'
import { finishRemovals, removeOrganizationsJob } from './administration/removed-organizations.service.ts'
import { type InstanceParts, instanceRoutes } from './instance.routes.ts'

export const instance: Feature<InstanceParts> = {
  name: 'instance',
  routes: instanceRoutes,
  jobs: [
    {
      ...job(removeOrganizationsJob, (worker, _data, signal) => finishRemovals(worker, signal), '47 * * * *'),
      runsInSafeMode: true,
    },
  ],
}
