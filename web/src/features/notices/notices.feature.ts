import { createRoute } from '@tanstack/react-router'
import { feature } from '../../feature.ts'
import { flag, type Raw, definedParams } from '../../search.ts'
import { lazyPage } from '../../shell/routing/lazy-page.ts'
import { organization } from '../../shell/routing/parents.ts'
import { IconBell } from '../../ui/icons.tsx'
import { noticesPaths } from './notices.paths.ts'

const inbox = createRoute({
  getParentRoute: () => organization,
  path: '/inbox',
  validateSearch: (raw: Raw) => definedParams({ unread: flag(raw.unread) }),
  component: lazyPage(() => import('./InboxPage.tsx'), 'InboxPage'),
})

export const notices = feature({
  routes: { organization: [inbox] },
  commands: [
    { id: 'inbox', label: 'Inbox', icon: IconBell, keywords: 'notices notifications mentions assignments unread', to: ({ slug }) => noticesPaths.inbox(slug) },
  ],
  // A notification is created with its comment or assignment, and disappears when its engagement is no longer visible.
  live: { task: ['listNotices'], engagement: ['listNotices'] },
})
