import { Id } from '../core/endpoint.ts'
import { fileEndpointsOf } from '../core/files.ts'

const ofTasks = fileEndpointsOf({
  noun: 'Task',
  name: 'a task',
  path: '/tasks/:taskId',
  params: { taskId: Id('tsk') },
  read: 'tasks:read',
  write: 'tasks:write',
  about: 'engagement',
})

export const uploadTaskFile = ofTasks.upload
export const listTaskFiles = ofTasks.list
export const downloadTaskFile = ofTasks.download
export const deleteTaskFile = ofTasks.remove
