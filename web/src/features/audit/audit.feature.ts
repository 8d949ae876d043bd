import { createRoute } from '@tanstack/react-router'
import { feature } from '../../feature.ts'
import { day, type Raw, definedParams, text } from '../../search.ts'
import { isAdmin } from '../../shell/context/organization.tsx'
import { lazyPage } from '../../shell/routing/lazy-page.ts'
import { admins } from '../../shell/routing/parents.ts'
import { IconHistory } from '../../ui/icons.tsx'
import { auditPaths } from './audit.paths.ts'

const settingsPage = createRoute({
  getParentRoute: () => admins,
  path: '/settings/audit',
  validateSearch: (raw: Raw) =>
    definedParams({ action: text(raw.action), actorId: text(raw.actorId), objectId: text(raw.objectId), from: day(raw.from), to: day(raw.to) }),
  component: lazyPage(() => import('./AuditPage.tsx'), 'AuditPage'),
})

export const audit = feature({
  routes: { admins: [settingsPage] },
  navigation: [
    { area: 'settings', label: 'Audit log', to: ({ slug }) => auditPaths.audit(slug), icon: IconHistory, keywords: 'history activity', isFor: isAdmin },
  ],
})
