import type { Feature } from '../../platform/feature.ts'
import { NOTICE_MAILS } from './account-emails.emails.ts'

export const notifications: Feature = { name: 'notifications', mails: NOTICE_MAILS }
