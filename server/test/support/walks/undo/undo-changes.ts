import type { TestApp } from '../../app/test-app.ts'
import type { TestClient, TestResponse } from '../../app/test-client.ts'

type Change = (app: TestApp, client: TestClient, prefix: string) => Promise<() => Promise<TestResponse>>

/** A new object of a new engagement. */
const madeIn = async (
  client: TestClient,
  prefix: string,
  type: string,
  fields: object,
): Promise<{ id: string; updatedAt: string }> => {
  const { id: engagementId } = (await client.post(`${prefix}/engagements`, { name: 'With something to undo' })).body
    .data
  return (await client.post(`${prefix}/${type}`, { engagementId, ...fields })).body.data
}

const reverted =
  (type: string, fields: object, set: object): Change =>
  async (_app, client, prefix) => {
    const { id, updatedAt } = await madeIn(client, prefix, type, fields)
    return () => client.post(`${prefix}/${type}/bulk-revert`, { items: [{ id, ifUpdatedAt: updatedAt, set }] })
  }

const restored =
  (type: string, fields: object): Change =>
  async (_app, client, prefix) => {
    const { id } = await madeIn(client, prefix, type, fields)
    await client.delete(`${prefix}/${type}/${id}`)
    return () => client.post(`${prefix}/${type}/bulk-restore`, { ids: [id] })
  }

const RULE = { effect: 'allow', pattern: '*.example.com' }
const TARGET = { value: 'www.example.com' }
const RESULT = { title: 'Written', asset: 'portal.example.com', severity: 'low' }
const TASK = { title: 'Before' }

/** Recipes with which endpoints that undo something succeed. */
export const UNDO_CHANGES: Record<string, Change> = {
  revertScopeRules: reverted('scope-rules', RULE, { effect: 'deny' }),
  restoreScopeRules: restored('scope-rules', RULE),
  revertTargets: reverted('targets', TARGET, { tags: ['former'] }),
  restoreTargets: restored('targets', TARGET),
  revertResults: reverted('results', RESULT, { tags: ['former'] }),
  restoreResults: restored('results', RESULT),
  revertTasks: reverted('tasks', TASK, { priority: 'high' }),
  restoreTasks: restored('tasks', TASK),
}
