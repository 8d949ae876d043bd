import { type Feature, job } from '../../../platform/feature.ts'
import { browserConfirmationMail } from './browser-confirmations.emails.ts'
import { browserConfirmationRoutes } from './browser-confirmations.routes.ts'
import {
  forgetEndedConfirmations,
  mailBrowserConfirmation,
  requestBrowserConfirmationJob,
} from './browser-confirmations.service.ts'

export const browserConfirmations: Feature = {
  name: 'browser-confirmations',
  routes: browserConfirmationRoutes,
  mails: [browserConfirmationMail],
  jobs: [job(requestBrowserConfirmationJob, (worker, { email }) => mailBrowserConfirmation(worker, email))],
  cleanUp: forgetEndedConfirmations,
}
