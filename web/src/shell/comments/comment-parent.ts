import type { Output } from '@sortie/client/calls.ts'
import { call } from '../../api/api.ts'
import { rows } from '../../api/rows.ts'

export type Comment = Output<'listComments'>['data'][number]

/** What comments are on. */
export interface CommentParent {
  type: 'task' | 'result' | 'finding'
  id: string
  engagementId: string
}

/** Words of a text of a finding, and what should replace them. */
export interface Quoted {
  anchor?: NonNullable<Comment['anchor']>
  suggestion?: string
}

const STALE = {
  task: ['listComments', 'getTask', 'listTasks'],
  result: ['listResultComments'],
  finding: ['listFindingComments', 'getFinding', 'listFindings'],
} as const

/** Reads that become stale after a comment. */
export const staleReads = (organizationId: string, { type }: CommentParent) =>
  STALE[type].map((name) => [organizationId, name] as const)

/** Reader of the comments, newest first. */
export const commentRows = (organizationId: string, { type, id }: CommentParent) => {
  if (type === 'task') return rows(organizationId, 'listComments', { params: { taskId: id } })
  if (type === 'result') return rows(organizationId, 'listResultComments', { params: { resultId: id } })
  return rows(organizationId, 'listFindingComments', { params: { findingId: id } })
}

/** @throws what `call` throws */
export const postComment = (
  organizationId: string,
  { type, id }: CommentParent,
  body: { body: string } & Quoted,
): Promise<{ data: Comment }> => {
  const once = { retries: 0 }
  if (type === 'task') return call(organizationId, 'createComment', { params: { taskId: id }, body }, once)
  if (type === 'result') return call(organizationId, 'createResultComment', { params: { resultId: id }, body }, once)
  return call(organizationId, 'createFindingComment', { params: { findingId: id }, body }, once)
}
