import * as contract from '@sortie/contract/tasks/task-files.ts'
import { notFound } from '../../platform/errors.ts'
import type { Route } from '../../platform/http/routes/route.ts'
import { findEngagement } from '../engagements/engagements.queries.ts'
import { requireWritable } from '../engagements/locks.service.ts'
import { fileRoutesOf } from '../files/file-routes.ts'
import type { FileHolder } from '../files/files.service.ts'
import { lockWritableTask } from './task-locks.service.ts'
import { findEngagementOfTask } from './tasks.queries.ts'

const ofTasks: FileHolder = {
  type: 'task',
  find: async (db, organizationId, taskId) => {
    if (!(await findEngagementOfTask(db, organizationId, taskId))) throw notFound()
  },
  requireWritable: async (db, organizationId, taskId) => {
    const engagementId = await findEngagementOfTask(db, organizationId, taskId)
    if (engagementId === undefined) throw notFound()
    requireWritable(await findEngagement(db, organizationId, engagementId))
  },
  hold: async (tx, actor, taskId) => ({ engagementId: (await lockWritableTask(tx, actor, taskId)).engagement_id }),
}

const ENDPOINTS = {
  upload: contract.uploadTaskFile,
  list: contract.listTaskFiles,
  download: contract.downloadTaskFile,
  remove: contract.deleteTaskFile,
}

export const taskFileRoutes: Route[] = fileRoutesOf(ENDPOINTS, ofTasks, 'taskId')
