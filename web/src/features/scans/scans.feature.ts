import { createRoute } from '@tanstack/react-router'
import { feature } from '../../feature.ts'
import { lazyPage } from '../../shell/routing/lazy-page.ts'
import { engagement, readers } from '../../shell/routing/parents.ts'
import { IconRadar2 } from '../../ui/icons.tsx'
import { newScanSearch, scansSearch, schedulesSearch } from './scans-search.ts'
import { scansPaths } from './scans.paths.ts'

const list = createRoute({
  getParentRoute: () => engagement,
  path: '/scans',
  validateSearch: scansSearch,
  component: lazyPage(() => import('./ScansPage.tsx'), 'ScansPage'),
})
const start = createRoute({
  getParentRoute: () => engagement,
  path: '/scans/new',
  validateSearch: newScanSearch,
  component: lazyPage(() => import('./new/NewScanPage.tsx'), 'NewScanPage'),
})
const schedules = createRoute({
  getParentRoute: () => engagement,
  path: '/scans/schedules',
  validateSearch: schedulesSearch,
  component: lazyPage(() => import('./schedules/SchedulesPage.tsx'), 'SchedulesPage'),
})
const open = createRoute({
  getParentRoute: () => engagement,
  path: '/scans/$scanId',
  component: lazyPage(() => import('./scan/ScanPage.tsx'), 'ScanPage'),
})
const one = createRoute({
  getParentRoute: () => readers,
  path: '/scans/$scanId',
  component: lazyPage(() => import('./OpenScan.tsx'), 'OpenScan'),
})

export const scans = feature({
  routes: { readers: [one], engagement: [list, start, schedules, open] },
  navigation: [
    {
      area: 'engagement',
      group: 'recon',
      label: 'Scans',
      to: ({ slug, engagementId }) => scansPaths.scans(slug, engagementId),
      icon: IconRadar2,
      key: 'N',
      keywords: 'recon nmap ports dns tls discovery schedules',
    },
  ],
  live: { scan: ['listScans', 'getScan', 'listScanLog'], schedule: ['listScanSchedules', 'getScanSchedule'] },
})
