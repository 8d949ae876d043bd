import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { feature } from '../../feature.ts'
import { flag, type Raw, said } from '../../search.ts'
import { organization } from '../../shell/parents.ts'
import { IconBell } from '../../ui/icons.tsx'
import { noticesPaths } from './notices.paths.ts'

const inbox = createRoute({
  getParentRoute: () => organization,
  path: '/inbox',
  validateSearch: (raw: Raw) => said({ unread: flag(raw.unread) }),
  component: lazyRouteComponent(() => import('./InboxPage.tsx'), 'InboxPage'),
})

export const notices = feature({
  routes: { organization: [inbox] },
  commands: [
    { id: 'inbox', label: 'Inbox', icon: IconBell, keywords: 'notices notifications mentions assignments unread', to: ({ slug }) => noticesPaths.inbox(slug) },
  ],
  // A notice comes with the comment or the assignment; it goes when its engagement is not seen any more.
  live: { task: ['listNotices'], engagement: ['listNotices'] },
})
