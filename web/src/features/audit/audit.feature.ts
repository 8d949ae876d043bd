import { feature } from '../../feature.ts'
import { isAdmin } from '../../shell/context/organization.tsx'
import { lazyPage } from '../../shell/routing/lazy-page.ts'
import { IconHistory } from '../../ui/icons.tsx'
import { auditPaths } from './audit.paths.ts'
import { instancePage, settingsPage } from './audit.routes.ts'

export const audit = feature({
  routes: {
    admins: [lazyPage(settingsPage, () => import('./AuditPage.tsx'), 'AuditPage')],
    instance: [lazyPage(instancePage, () => import('./InstanceAuditPage.tsx'), 'InstanceAuditPage')],
  },
  navigation: [
    {
      area: 'settings',
      label: 'Audit log',
      to: ({ slug }) => auditPaths.audit(slug),
      icon: IconHistory,
      keywords: 'history activity',
      isFor: isAdmin,
    },
    {
      area: 'instance',
      label: 'Audit log',
      to: auditPaths.instanceAudit,
      icon: IconHistory,
    },
  ],
  live: { any: ['listAuditEntries', 'listAuditFilters'] },
})
