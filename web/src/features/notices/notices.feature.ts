import { feature } from '../../feature.ts'
import { lazyPage } from '../../shell/routing/lazy-page.ts'
import { IconBell } from '../../ui/icons.tsx'
import { noticesPaths } from './notices.paths.ts'
import { inbox } from './notices.routes.ts'

export const notices = feature({
  routes: { organization: [lazyPage(inbox, () => import('./InboxPage.tsx'), 'InboxPage')] },
  commands: [
    {
      id: 'inbox',
      label: 'Inbox',
      icon: IconBell,
      keywords: 'notices notifications mentions assignments unread',
      to: ({ slug }) => noticesPaths.inbox(slug),
    },
  ],
  // A notification is created with its comment or assignment, and disappears when its engagement is no longer visible.
  live: {
    task: ['listNotices'],
    result: ['listNotices'],
    finding: ['listNotices'],
    report: ['listNotices'],
    engagement: ['listNotices'],
  },
})
