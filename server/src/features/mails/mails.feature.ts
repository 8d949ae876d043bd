import { type Feature, job } from '../../platform/feature.ts'
import type { MailTemplate } from '../../platform/mail/template.ts'
import { deleteOldMails, deliver, deliverMail } from './mails.service.ts'

/** @param templates every kind of mail that the features bring */
export const mails = (templates: readonly MailTemplate[]): Feature => ({
  name: 'mails',
  jobs: [job(deliverMail, (worker, { mailId }) => deliver(worker, worker.mailer, templates, mailId))],
  cleanUp: ({ db, clock }) => deleteOldMails(db, clock),
})
