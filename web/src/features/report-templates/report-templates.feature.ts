import { feature } from '../../feature.ts'
import { isAdmin } from '../../shell/context/organization.tsx'
import { lazyPage } from '../../shell/routing/lazy-page.ts'
import { IconFileText } from '../../ui/icons.tsx'
import { reportTemplatesPaths } from './report-templates.paths.ts'
import { list, template } from './report-templates.routes.ts'

export const reportTemplates = feature({
  routes: {
    admins: [
      lazyPage(list, () => import('./list/TemplatesPage.tsx'), 'TemplatesPage'),
      lazyPage(template, () => import('./template/TemplatePage.tsx'), 'TemplatePage'),
    ],
  },
  navigation: [
    {
      area: 'settings',
      label: 'Report templates',
      to: ({ slug }) => reportTemplatesPaths.reportTemplates(slug),
      icon: IconFileText,
      keywords: 'pdf word typst logo cover design layout',
      isFor: isAdmin,
    },
  ],
  live: { setting: ['listReportTemplates', 'getReportTemplate'] },
})
