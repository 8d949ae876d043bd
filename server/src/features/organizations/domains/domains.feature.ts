import type { Platform } from '../../../platform/context.ts'
import { type Feature, job } from '../../../platform/feature.ts'
import { checkDomainAgain, checkDomainJob, checkDomains, checkDomainsJob } from './domains.jobs.ts'
import { domainRoutes } from './domains.routes.ts'

export const domains: Feature<{ platform: Platform }> = {
  name: 'domains',
  routes: ({ platform }) => domainRoutes(platform.db),
  jobs: [job(checkDomainsJob, checkDomains, '41 3 * * *'), job(checkDomainJob, checkDomainAgain)],
}
