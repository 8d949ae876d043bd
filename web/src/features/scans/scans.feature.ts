import { feature } from '../../feature.ts'
import { lazyPage } from '../../shell/routing/lazy-page.ts'
import { IconRadar2 } from '../../ui/icons.tsx'
import { scansPaths } from './scans.paths.ts'
import { list, start, schedules, open, one } from './scans.routes.ts'

export const scans = feature({
  routes: {
    readers: [lazyPage(one, () => import('./OpenScan.tsx'), 'OpenScan')],
    engagement: [
      lazyPage(list, () => import('./ScansPage.tsx'), 'ScansPage'),
      lazyPage(start, () => import('./new/NewScanPage.tsx'), 'NewScanPage'),
      lazyPage(schedules, () => import('./schedules/SchedulesPage.tsx'), 'SchedulesPage'),
      lazyPage(open, () => import('./scan/ScanPage.tsx'), 'ScanPage'),
    ],
  },
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
