import { feature } from '../../feature.ts'
import { lazyPage } from '../../shell/routing/lazy-page.ts'
import { IconFilePlus, IconFileText } from '../../ui/icons.tsx'
import { reportsPaths } from './reports.paths.ts'
import { list, one, report } from './reports.routes.ts'

export const reports = feature({
  routes: {
    readers: [lazyPage(one, () => import('./report/OpenReport.tsx'), 'OpenReport')],
    engagement: [
      lazyPage(list, () => import('./list/ReportsPage.tsx'), 'ReportsPage'),
      lazyPage(report, () => import('./report/ReportPage.tsx'), 'ReportPage'),
    ],
  },
  navigation: [
    {
      area: 'engagement',
      group: 'deliver',
      label: 'Reports',
      to: ({ slug, engagementId }) => reportsPaths.reports(slug, engagementId),
      icon: IconFileText,
      key: 'P',
      keywords: 'deliver pdf word document client',
    },
  ],
  commands: [
    {
      id: 'new-report',
      label: 'New report',
      icon: IconFilePlus,
      keywords: 'create pdf word deliver document',
      to: ({ slug, engagementId }) => `${reportsPaths.reports(slug, engagementId)}?create=true`,
      isInEngagement: true,
    },
  ],
  live: {
    report: [
      'listReports',
      'getReport',
      'checkReport',
      'previewReport',
      'listReportRenders',
      'listReportEditions',
      'compareReport',
      'listReportComments',
    ],
    finding: ['checkReport', 'previewReport'],
    engagement: ['previewReport', 'checkReport'],
    scope: ['previewReport', 'checkReport'],
    retest: ['previewReport', 'checkReport'],
    file: ['checkReport', 'previewReport'],
  },
})
