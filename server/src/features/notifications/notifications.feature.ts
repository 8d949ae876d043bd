import type { Feature } from '../../platform/feature.ts'
import { noticeMail } from './notifications.emails.ts'
import { noticeRoutes } from './notifications.routes.ts'
import { deleteOldNotices } from './notifications.service.ts'

export const notices: Feature = {
  name: 'notifications',
  routes: () => noticeRoutes,
  mails: [noticeMail],
  cleanUp: ({ db, clock }) => deleteOldNotices(db, clock),
}
