import type { Output } from '@sortie/client/calls.ts'
import { call } from '../../api/api.ts'
import { readAll } from '../../api/read-all.ts'
import { rows } from '../../api/rows.ts'
import { isSection } from '../../domain/finding-words.tsx'

export type Comment = Output<'listComments'>['data'][number]

/** What comments are on. */
export interface CommentParent {
  type: 'task' | 'result' | 'finding' | 'report'
  id: string
  engagementId: string
}

/** Words of a text of a finding or a report, and what should replace them. */
export interface Quoted {
  anchor?: NonNullable<Comment['anchor']>
  suggestion?: string
}

const STALE = {
  task: ['listComments', 'getTask', 'listTasks'],
  result: ['listResultComments'],
  finding: ['listFindingComments', 'getFinding', 'listFindings'],
  report: ['listReportComments'],
} as const

/** Reads that become stale after a comment. */
export const staleReads = (organizationId: string, { type }: CommentParent) =>
  STALE[type].map((name) => [organizationId, name] as const)

/** Reader of the comments, newest first. */
export const commentRows = (organizationId: string, { type, id }: CommentParent) => {
  if (type === 'task') return rows(organizationId, 'listComments', { params: { taskId: id } })
  if (type === 'result') return rows(organizationId, 'listResultComments', { params: { resultId: id } })
  if (type === 'report') return rows(organizationId, 'listReportComments', { params: { reportId: id } })
  return rows(organizationId, 'listFindingComments', { params: { findingId: id } })
}

/** Reader of all comments on an object whose texts are reviewed. */
export const allComments = (organizationId: string, { type, id }: CommentParent) => {
  const isReport = type === 'report'
  const params = isReport ? { reportId: id } : { findingId: id }
  return {
    queryKey: [organizationId, isReport ? 'listReportComments' : 'listFindingComments', { params }, 'all'],
    queryFn: ({ signal }: { signal: AbortSignal }): Promise<Comment[]> =>
      readAll((query) =>
        isReport
          ? call(organizationId, 'listReportComments', { params: { reportId: id }, query }, { signal })
          : call(organizationId, 'listFindingComments', { params: { findingId: id }, query }, { signal }),
      ),
  }
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
  if (type === 'report') return call(organizationId, 'createReportComment', { params: { reportId: id }, body }, once)
  const { anchor, ...rest } = body
  const { section = '', quote = '' } = anchor ?? {}
  const quoted = isSection(section) ? { anchor: { section, quote } } : {}
  return call(organizationId, 'createFindingComment', { params: { findingId: id }, body: { ...rest, ...quoted } }, once)
}
