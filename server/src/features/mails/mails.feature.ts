import { type Feature, job } from '../../platform/feature.ts'
import { deleteOldMails, deliver, deliverMail } from './mails.service.ts'

export const mails: Feature = {
  name: 'mails',
  jobs: [job(deliverMail, (worker, { mailId }) => deliver(worker, mailId))],
  cleanUp: ({ db, clock }) => deleteOldMails(db, clock),
}
