import { type Feature, job } from '../../../platform/feature.ts'
import { applyEvent } from './apply-change.service.ts'
import { readDirectoryEvents, readDirectoryEventsJob } from './directory.jobs.ts'
import { directoryWebhooks } from './directory.routes.ts'
import { applyDirectoryEvent, deleteOldEvents } from './directory.service.ts'

export const directory: Feature = {
  name: 'directory',
  webhooks: directoryWebhooks,
  jobs: [
    job(applyDirectoryEvent, (worker, { eventId }) => applyEvent(worker, eventId)),
    job(readDirectoryEventsJob, readDirectoryEvents, '*/5 * * * *'),
  ],
  cleanUp: ({ db, clock }) => deleteOldEvents(db, clock),
}
