import type { Insertable } from 'kysely'
import type { Transaction } from '../../../platform/database/transaction.ts'
import type { TaskIssues } from '../../../platform/database/types.gen.ts'

const COLUMNS = ['engagement_id', 'task_id', 'was_opened', 'status', 'issue_updated_at'] as const

export const findIssue = (tx: Transaction, organizationId: string, issueId: string) =>
  tx
    .selectFrom('task_issues')
    .select(COLUMNS)
    .where('organization_id', '=', organizationId)
    .where('issue_id', '=', issueId)
    .executeTakeFirst()

export const upsertIssue = async (tx: Transaction, issue: Insertable<TaskIssues>): Promise<void> => {
  const { task_id = null, was_opened, status, issue_updated_at } = issue
  await tx
    .insertInto('task_issues')
    .values(issue)
    .onConflict((conflict) =>
      conflict.columns(['organization_id', 'issue_id']).doUpdateSet({ task_id, was_opened, status, issue_updated_at }),
    )
    .execute()
}
