import type { Feature } from '../../platform/feature.ts'
import { noticeMail } from './notices.emails.ts'
import { noticeRoutes } from './notices.routes.ts'
import { deleteOldNotices } from './notices.service.ts'

export const notices: Feature = {
  name: 'notices',
  routes: () => noticeRoutes,
  mails: [noticeMail],
  cleanUp: ({ db, clock }) => deleteOldNotices(db, clock),
}
