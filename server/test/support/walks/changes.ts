import { randomBytes } from 'node:crypto'
import type { Scope } from '@sortie/contract/core/scopes.ts'
import { PASSWORD, type TestApp } from '../app/test-app.ts'
import type { TestClient, TestResponse } from '../app/test-client.ts'
import { zipOf } from '../inputs/zip.ts'
import { giveSecondFactor } from '../providers/second-factors.ts'
import { CLIENT_CHANGES } from './changes-of/client-changes.ts'
import { FINDING_CHANGES } from './changes-of/finding-changes.ts'
import { IDENTITY_CHANGES } from './changes-of/identity-changes.ts'
import { REPORT_CHANGES } from './changes-of/report-changes.ts'
import { REPORT_RENDER_CHANGES } from './changes-of/report-render-changes.ts'
import { REPORT_TEMPLATE_CHANGES } from './changes-of/report-template-changes.ts'
import { REQUEST_CHANGES } from './changes-of/request-changes.ts'
import { SCAN_CHANGES } from './changes-of/scan-changes.ts'
import { VIEW_CHANGES } from './changes-of/view-changes.ts'
import { WEBHOOK_CHANGES } from './changes-of/webhook-changes.ts'
import { UNDO_CHANGES } from './undo/undo-changes.ts'
import type { Mounted } from './walk.ts'

/** Prepares one change and returns the request that makes it, to be sent once. */
type Change = (app: TestApp, client: TestClient, prefix: string) => Promise<() => Promise<TestResponse>>

const address = () => `changed.${randomBytes(6).toString('hex')}@example.com`
const MEMBERS = '/organizations/current/members'

const invited = async (app: TestApp) => {
  const owner = await app.signedIn('owner')
  return (await owner.post(`/api/web${MEMBERS}/invite`, { email: address(), role: 'member' })).body.data as {
    id: string
    email: string
  }
}

const upload = (client: TestClient, path: string) =>
  client.request('POST', `${path}?fileName=changed`, { rawBody: 'bytes of a file' })

const engagementOf = async (client: TestClient, prefix: string): Promise<string> =>
  (await client.post(`${prefix}/engagements`, { name: 'With something in it' })).body.data.id

const trashedOf = async (client: TestClient, prefix: string): Promise<string> => {
  const { id } = (await client.post(`${prefix}/engagements`, { name: 'Over' })).body.data
  await client.delete(`${prefix}/engagements/${id}`, { body: { name: 'Over' } })
  return id
}

const ruleOf = async (client: TestClient, prefix: string): Promise<string> => {
  const engagementId = await engagementOf(client, prefix)
  return (await client.post(`${prefix}/scope-rules`, { engagementId, effect: 'allow', pattern: '*.example.com' })).body
    .data.id
}

const targetOf = async (client: TestClient, prefix: string): Promise<string> => {
  const engagementId = await engagementOf(client, prefix)
  return (await client.post(`${prefix}/targets`, { engagementId, value: 'www.example.com' })).body.data.id
}

const methodologyOf = async (client: TestClient, prefix: string): Promise<string> =>
  (await client.post(`${prefix}/methodologies`, { name: 'Before', items: [{ key: 'a', title: 'A' }] })).body.data.id

interface Task {
  id: string
  checklist: { id: string }[]
  updatedAt: string
}

const taskOf = async (client: TestClient, prefix: string): Promise<Task> => {
  const { id } = (await client.post(`${prefix}/engagements`, { name: 'With a task' })).body.data
  return (await client.post(`${prefix}/tasks`, { engagementId: id, title: 'Before', checklist: [{ text: 'item' }] }))
    .body.data
}

const commentOf = async (client: TestClient, prefix: string): Promise<string> => {
  const task = await taskOf(client, prefix)
  return (await client.post(`${prefix}/tasks/${task.id}/comments`, { body: 'before' })).body.data.id
}

/** A change of a new task. */
const onTask =
  (send: (client: TestClient, prefix: string, task: Task) => Promise<TestResponse>): Change =>
  async (_app, client, prefix) => {
    const task = await taskOf(client, prefix)
    return () => send(client, prefix, task)
  }

/** An import that has ended, with or without jobs in the test's server. @returns its id */
const importOf = async (
  app: TestApp,
  client: TestClient,
  prefix: string,
  state: 'previewed' | 'applied',
): Promise<string> => {
  const path = `${prefix}/imports?engagementId=${await engagementOf(client, prefix)}&fileName=changed.list&mode=${state === 'previewed' ? 'preview' : 'apply'}`
  const { id } = (await client.request('POST', path, { rawBody: 'open tcp 80 192.0.2.1 1795336815' })).body.data
  await app.db
    .updateTable('imports')
    .set({ state, finished_at: '2026-01-01T00:00:00.000Z' })
    .where('id', '=', id)
    .execute()
  await app.db
    .updateTable('background_jobs')
    .set({ state: 'succeeded', ended_at: '2026-01-01T00:00:00.000Z' })
    .where('subject_id', '=', id)
    .execute()
  return id
}

const resultIn = async (client: TestClient, prefix: string): Promise<string> => {
  const engagementId = await engagementOf(client, prefix)
  return (
    await client.post(`${prefix}/results`, {
      engagementId,
      title: 'Written',
      asset: 'portal.example.com',
      severity: 'low',
    })
  ).body.data.id
}

const page = async (client: TestClient, prefix: string, engagementId?: string): Promise<{ id: string }> =>
  (await client.post(`${prefix}/wiki-pages`, { title: 'Changed', body: 'text', engagementId })).body.data
const pageIn = async (client: TestClient, prefix: string) => page(client, prefix, await engagementOf(client, prefix))

/**
 * Recipes that a schema does not contain: how each writing endpoint succeeds. A missing one fails the tests that walk
 * them.
 */
const CHANGES: Record<string, Change> = {
  ...CLIENT_CHANGES,
  ...FINDING_CHANGES,
  ...REPORT_CHANGES,
  ...REPORT_RENDER_CHANGES,
  ...REPORT_TEMPLATE_CHANGES,
  ...REQUEST_CHANGES,
  ...SCAN_CHANGES,
  ...UNDO_CHANGES,
  ...VIEW_CHANGES,
  ...IDENTITY_CHANGES,
  ...WEBHOOK_CHANGES,
  updateOrganization: async (_app, client, prefix) => () =>
    client.patch(`${prefix}/organizations/current`, { name: `Name ${randomBytes(4).toString('hex')}` }),
  inviteMember: async (_app, client, prefix) => () =>
    client.post(`${prefix}${MEMBERS}/invite`, { email: address(), role: 'member' }),
  changeMemberRole: async (app, client, prefix) => {
    const { id } = await app.createMember('member')
    return () => client.patch(`${prefix}${MEMBERS}/${id}`, { role: 'admin' })
  },
  removeMember: async (app, client, prefix) => {
    const { id } = await app.createMember('member')
    return () => client.delete(`${prefix}${MEMBERS}/${id}`)
  },
  resetMemberSecondFactor: async (app, _client, prefix) => {
    const organization = await app.createOrganization()
    const [owner, { id }] = [await app.signedIn('owner', organization), await app.createMember('member', organization)]
    const [code] = await giveSecondFactor(app, organization.owner.id)
    await giveSecondFactor(app, id)
    return () => owner.post(`${prefix}${MEMBERS}/${id}/second-factor/reset`, { password: PASSWORD, code })
  },
  createEngagement: async (_app, client, prefix) => () =>
    client.post(`${prefix}/engagements`, { name: 'Changed', description: 'text' }),
  updateEngagement: async (_app, client, prefix) => {
    const { id } = (await client.post(`${prefix}/engagements`, { name: 'Before' })).body.data
    return () => client.patch(`${prefix}/engagements/${id}`, { name: 'After', status: 'completed' })
  },
  updateEngagementDetails: async (_app, client, prefix) => {
    const { id } = (await client.post(`${prefix}/engagements`, { name: 'Before' })).body.data
    return () => client.patch(`${prefix}/engagements/${id}/details`, { clientName: 'Contoso', startsOn: '2026-12-01' })
  },
  deleteEngagement: async (_app, client, prefix) => {
    const { id } = (await client.post(`${prefix}/engagements`, { name: 'Over' })).body.data
    return () => client.delete(`${prefix}/engagements/${id}`, { body: { name: 'Over' } })
  },
  restoreEngagement: async (_app, client, prefix) => {
    const id = await trashedOf(client, prefix)
    return () => client.post(`${prefix}/trashed-engagements/${id}/restore`)
  },
  purgeEngagement: async (_app, client, prefix) => {
    const id = await trashedOf(client, prefix)
    return () => client.delete(`${prefix}/trashed-engagements/${id}`, { body: { name: 'Over' } })
  },
  holdEngagement: async (_app, client, prefix) => {
    const id = await engagementOf(client, prefix)
    return () => client.post(`${prefix}/engagements/${id}/hold`, { reason: 'A lawsuit' })
  },
  releaseEngagementHold: async (_app, client, prefix) => {
    const id = await engagementOf(client, prefix)
    await client.post(`${prefix}/engagements/${id}/hold`, { reason: 'A lawsuit' })
    return () => client.delete(`${prefix}/engagements/${id}/hold`)
  },
  cloneEngagement: async (_app, client, prefix) => {
    const id = await engagementOf(client, prefix)
    return () =>
      client.post(`${prefix}/engagements/${id}/clone`, { name: 'Clone', include: ['details', 'scope', 'targets'] })
  },
  createScopeRule: async (_app, client, prefix) => {
    const engagementId = await engagementOf(client, prefix)
    return () => client.post(`${prefix}/scope-rules`, { engagementId, effect: 'deny', pattern: '10.0.0.0/8' })
  },
  createScopeRules: async (_app, client, prefix) => {
    const engagementId = await engagementOf(client, prefix)
    return () =>
      client.post(`${prefix}/scope-rules/bulk`, { engagementId, effect: 'deny', text: '10.0.0.0/8\nexample.com' })
  },
  parseScopeRules: async (_app, client, prefix) => {
    const engagementId = await engagementOf(client, prefix)
    return () => client.post(`${prefix}/scope-rules/parse`, { engagementId, text: 'Out of scope:\nexample.com' })
  },
  bulkUpdateScopeRules: async (_app, client, prefix) => {
    const id = await ruleOf(client, prefix)
    return () => client.post(`${prefix}/scope-rules/bulk-update`, { ids: [id], set: { effect: 'deny' } })
  },
  bulkDeleteScopeRules: async (_app, client, prefix) => {
    const id = await ruleOf(client, prefix)
    return () => client.post(`${prefix}/scope-rules/bulk-delete`, { ids: [id] })
  },
  updateScopeRule: async (_app, client, prefix) => {
    const id = await ruleOf(client, prefix)
    return () => client.patch(`${prefix}/scope-rules/${id}`, { effect: 'caution' })
  },
  deleteScopeRule: async (_app, client, prefix) => {
    const id = await ruleOf(client, prefix)
    return () => client.delete(`${prefix}/scope-rules/${id}`)
  },
  checkScope: async (_app, client, prefix) => {
    const engagementId = await engagementOf(client, prefix)
    return () => client.post(`${prefix}/scope-rules/check`, { engagementId, values: ['example.com'] })
  },
  createTarget: async (_app, client, prefix) => {
    const engagementId = await engagementOf(client, prefix)
    return () => client.post(`${prefix}/targets`, { engagementId, value: '10.0.0.5' })
  },
  createTargets: async (_app, client, prefix) => {
    const engagementId = await engagementOf(client, prefix)
    return () => client.post(`${prefix}/targets/bulk`, { engagementId, text: '10.0.0.5\nexample.com' })
  },
  updateTarget: async (_app, client, prefix) => {
    const id = await targetOf(client, prefix)
    return () => client.patch(`${prefix}/targets/${id}`, { notes: 'Changed' })
  },
  deleteTarget: async (_app, client, prefix) => {
    const id = await targetOf(client, prefix)
    return () => client.delete(`${prefix}/targets/${id}`)
  },
  bulkUpdateTargets: async (_app, client, prefix) => {
    const id = await targetOf(client, prefix)
    return () => client.post(`${prefix}/targets/bulk-update`, { ids: [id], set: { criticality: 'high' } })
  },
  bulkDeleteTargets: async (_app, client, prefix) => {
    const id = await targetOf(client, prefix)
    return () => client.post(`${prefix}/targets/bulk-delete`, { ids: [id] })
  },
  uploadFile: async (_app, client, prefix) => {
    const { id } = (await client.post(`${prefix}/engagements`, { name: 'With a file' })).body.data
    return () => upload(client, `${prefix}/engagements/${id}/files`)
  },
  deleteFile: async (_app, client, prefix) => {
    const { id } = (await client.post(`${prefix}/engagements`, { name: 'With a file' })).body.data
    const file = (await upload(client, `${prefix}/engagements/${id}/files`)).body.data
    return () => client.delete(`${prefix}/engagements/${id}/files/${file.id}`)
  },
  createTask: async (_app, client, prefix) => {
    const { id } = (await client.post(`${prefix}/engagements`, { name: 'With tasks' })).body.data
    return () => client.post(`${prefix}/tasks`, { engagementId: id, title: 'Changed' })
  },
  updateTask: onTask((client, prefix, task) => client.patch(`${prefix}/tasks/${task.id}`, { status: 'done' })),
  deleteTask: onTask((client, prefix, task) => client.delete(`${prefix}/tasks/${task.id}`)),
  moveTask: onTask((client, prefix, task) => client.post(`${prefix}/tasks/${task.id}/move`, { status: 'blocked' })),
  updateChecklistItem: onTask((client, prefix, { id, checklist }) =>
    client.patch(`${prefix}/tasks/${id}/checklist/${checklist[0]?.id}`, { done: true }),
  ),
  revertTasks: onTask((client, prefix, task) =>
    client.post(`${prefix}/tasks/bulk-revert`, {
      items: [{ id: task.id, ifUpdatedAt: task.updatedAt, set: { priority: 'high' } }],
    }),
  ),
  bulkUpdateTasks: onTask((client, prefix, task) =>
    client.post(`${prefix}/tasks/bulk-update`, { ids: [task.id], set: { priority: 'high' } }),
  ),
  bulkDeleteTasks: onTask((client, prefix, task) => client.post(`${prefix}/tasks/bulk-delete`, { ids: [task.id] })),
  createComment: onTask((client, prefix, task) =>
    client.post(`${prefix}/tasks/${task.id}/comments`, { body: 'changed' }),
  ),
  updateComment: async (_app, client, prefix) => {
    const comment = await commentOf(client, prefix)
    return () => client.patch(`${prefix}/comments/${comment}`, { body: 'after' })
  },
  deleteComment: async (_app, client, prefix) => {
    const comment = await commentOf(client, prefix)
    return () => client.delete(`${prefix}/comments/${comment}`)
  },
  uploadTaskFile: onTask((client, prefix, task) => upload(client, `${prefix}/tasks/${task.id}/files`)),
  deleteTaskFile: async (_app, client, prefix) => {
    const task = await taskOf(client, prefix)
    const file = (await upload(client, `${prefix}/tasks/${task.id}/files`)).body.data
    return () => client.delete(`${prefix}/tasks/${task.id}/files/${file.id}`)
  },
  createMethodology: async (_app, client, prefix) => () =>
    client.post(`${prefix}/methodologies`, { name: 'Changed', items: [{ key: 'a', title: 'A' }] }),
  updateMethodology: async (_app, client, prefix) => {
    const id = await methodologyOf(client, prefix)
    return () => client.patch(`${prefix}/methodologies/${id}`, { version: '2' })
  },
  deleteMethodology: async (_app, client, prefix) => {
    const id = await methodologyOf(client, prefix)
    return () => client.delete(`${prefix}/methodologies/${id}`)
  },
  copyMethodology: async (_app, client, prefix) => {
    const id = await methodologyOf(client, prefix)
    return () => client.post(`${prefix}/methodologies/${id}/copy`)
  },
  importMethodology: async (_app, client, prefix) => () =>
    client.request('POST', `${prefix}/methodologies/import?format=csv&name=Changed`, { rawBody: 'key,title\na,A\n' }),
  expandMethodology: async (_app, client, prefix) => {
    const [id, engagementId] = [await methodologyOf(client, prefix), await engagementOf(client, prefix)]
    return () => client.post(`${prefix}/methodologies/${id}/expand`, { engagementId, targets: { filter: {} } })
  },
  recordVisit: async (_app, client, prefix) => {
    const objectId = await engagementOf(client, prefix)
    return () => client.post(`${prefix}/home/visits`, { objectId })
  },
  updateFirstRun: async (_app, client, prefix) => () => client.patch(`${prefix}/first-run`, { password: 'done' }),
  readNotices: async (_app, client, prefix) => () => client.post(`${prefix}/notifications/read`, { all: true }),
  createResult: async (_app, client, prefix) => {
    const engagementId = await engagementOf(client, prefix)
    return () =>
      client.post(`${prefix}/results`, {
        engagementId,
        title: 'Written',
        asset: 'portal.example.com',
        severity: 'high',
      })
  },
  updateResult: async (_app, client, prefix) => {
    const id = await resultIn(client, prefix)
    return () => client.patch(`${prefix}/results/${id}`, { status: 'confirmed' })
  },
  deleteResult: async (_app, client, prefix) => {
    const id = await resultIn(client, prefix)
    return () => client.delete(`${prefix}/results/${id}`)
  },
  bulkUpdateResults: async (_app, client, prefix) => {
    const id = await resultIn(client, prefix)
    return () => client.post(`${prefix}/results/bulk-update`, { ids: [id], set: { addTags: ['changed'] } })
  },
  bulkDeleteResults: async (_app, client, prefix) => {
    const id = await resultIn(client, prefix)
    return () => client.post(`${prefix}/results/bulk-delete`, { ids: [id] })
  },
  uploadResultFile: async (_app, client, prefix) => {
    const id = await resultIn(client, prefix)
    return () => upload(client, `${prefix}/results/${id}/files`)
  },
  deleteResultFile: async (_app, client, prefix) => {
    const id = await resultIn(client, prefix)
    const file = (await upload(client, `${prefix}/results/${id}/files`)).body.data
    return () => client.delete(`${prefix}/results/${id}/files/${file.id}`)
  },
  createImport: async (_app, client, prefix) => {
    const engagementId = await engagementOf(client, prefix)
    return () =>
      client.request('POST', `${prefix}/imports?engagementId=${engagementId}&fileName=changed`, {
        rawBody: 'no format at all',
      })
  },
  applyImport: async (app, client, prefix) => {
    const id = await importOf(app, client, prefix, 'previewed')
    return () => client.post(`${prefix}/imports/${id}/apply`)
  },
  undoImport: async (app, client, prefix) => {
    const id = await importOf(app, client, prefix, 'applied')
    return () => client.post(`${prefix}/imports/${id}/undo`)
  },
  deleteImport: async (app, client, prefix) => {
    const id = await importOf(app, client, prefix, 'previewed')
    return () => client.delete(`${prefix}/imports/${id}`)
  },
  createWikiPage: async (_app, client, prefix) => () =>
    client.post(`${prefix}/wiki-pages`, { title: 'Changed', body: 'See [[Changed]].' }),
  updateWikiPage: async (_app, client, prefix) => {
    const { id } = await pageIn(client, prefix)
    return () => client.patch(`${prefix}/wiki-pages/${id}`, { title: 'After', body: 'other text', baseRevision: 1 })
  },
  moveWikiPage: async (_app, client, prefix) => {
    const [{ id }, other] = [await page(client, prefix), await page(client, prefix)]
    return () => client.post(`${prefix}/wiki-pages/${id}/move`, { parentId: other.id })
  },
  deleteWikiPage: async (_app, client, prefix) => {
    const { id } = await pageIn(client, prefix)
    return () => client.delete(`${prefix}/wiki-pages/${id}`)
  },
  restoreWikiPage: async (_app, client, prefix) => {
    const { id } = await pageIn(client, prefix)
    await client.delete(`${prefix}/wiki-pages/${id}`)
    return () => client.post(`${prefix}/wiki-pages/${id}/restore`)
  },
  restoreWikiRevision: async (_app, client, prefix) => {
    const { id } = await pageIn(client, prefix)
    await client.patch(`${prefix}/wiki-pages/${id}`, { body: 'other text', baseRevision: 1 })
    return () => client.post(`${prefix}/wiki-pages/${id}/revisions/1/restore`)
  },
  importWikiPages: async (_app, client, prefix) => () =>
    client.request('POST', `${prefix}/wiki-pages/import`, { rawBody: zipOf({ 'Changed.md': 'text' }) }),
  uploadWikiPageFile: async (_app, client, prefix) => {
    const { id } = await pageIn(client, prefix)
    return () => upload(client, `${prefix}/wiki-pages/${id}/files`)
  },
  deleteWikiPageFile: async (_app, client, prefix) => {
    const { id } = await pageIn(client, prefix)
    const file = (await upload(client, `${prefix}/wiki-pages/${id}/files`)).body.data
    return () => client.delete(`${prefix}/wiki-pages/${id}/files/${file.id}`)
  },

  createApiKey: async (_app, client, prefix) => () =>
    client.post(`${prefix}/api-keys`, {
      name: 'changed',
      environment: 'test',
      scopes: ['wiki:read'] satisfies Scope[],
    }),
  deleteApiKey: async (app, client, prefix) => {
    const { keyId } = await app.withKey(['wiki:read'])
    return () => client.delete(`${prefix}/api-keys/${keyId}`)
  },
  deleteMyKey: async (app, _client, prefix) => {
    // The given key is used after this change.
    const key = await app.withKey(['wiki:read'])
    return () => key.delete(`${prefix}/me/key`)
  },
  revokeInvitation: async (app, client, prefix) => {
    const { id } = await invited(app)
    return () => client.delete(`${prefix}/invitations/${id}`)
  },
  resendInvitation: async (app, client, prefix) => {
    const { id } = await invited(app)
    return () => client.post(`${prefix}/invitations/${id}/resend`)
  },
  acceptInvitation: async (app, _client, prefix) => {
    const { invitationToken } = await import('../../../src/features/organizations/invitations/invitations.service.ts')
    const { id } = await invited(app)
    return () =>
      app.anonymous.post(`${prefix}/invitations/accept`, {
        token: invitationToken(app.platform.keys, id, 1),
        name: 'Joined',
        password: 'a password for a test',
      })
  },
  transferOwnership: async (app, _client, prefix) => {
    const organization = await app.createOrganization()
    const [owner, { id }] = [await app.signedIn('owner', organization), await app.createMember('member', organization)]
    return () => owner.post(`${prefix}/organizations/current/transfer-ownership`, { userId: id, password: PASSWORD })
  },
  claimDomain: async (_app, client, prefix) => () =>
    client.post(`${prefix}/organizations/current/domains`, { domain: `${randomBytes(4).toString('hex')}.test` }),
  checkDomain: async (_app, client, prefix) => {
    const { id } = (
      await client.post(`${prefix}/organizations/current/domains`, {
        domain: `${randomBytes(4).toString('hex')}.invalid`,
      })
    ).body.data
    return () => client.post(`${prefix}/organizations/current/domains/${id}/check`)
  },
  removeDomain: async (_app, client, prefix) => {
    const { id } = (
      await client.post(`${prefix}/organizations/current/domains`, { domain: `${randomBytes(4).toString('hex')}.test` })
    ).body.data
    return () => client.delete(`${prefix}/organizations/current/domains/${id}`)
  },
  signIn: async (app, _client, prefix) => {
    const { email } = await app.createUser()
    return () => app.anonymous.post(`${prefix}/sign-in/email`, { email, password: PASSWORD })
  },
  signOut: async (app, _client, prefix) => {
    const person = await app.signIn(await app.createUser())
    return () => person.post(`${prefix}/sign-out`)
  },
  connectRepository: async (_app, client, prefix) => () =>
    client.post(`${prefix}/code-hosting/repositories`, { fullName: `changed/${randomBytes(4).toString('hex')}` }),
  updateRepository: async (_app, client, prefix) => {
    const { id } = (
      await client.post(`${prefix}/code-hosting/repositories`, {
        fullName: `changed/${randomBytes(4).toString('hex')}`,
      })
    ).body.data
    const engagement = (await client.post(`${prefix}/engagements`, { name: 'With issues' })).body.data
    return () => client.patch(`${prefix}/code-hosting/repositories/${id}`, { engagementId: engagement.id })
  },
  disconnectRepository: async (_app, client, prefix) => {
    const { id } = (
      await client.post(`${prefix}/code-hosting/repositories`, {
        fullName: `removed/${randomBytes(4).toString('hex')}`,
      })
    ).body.data
    return () => client.delete(`${prefix}/code-hosting/repositories/${id}`)
  },
}

/** @throws if this endpoint has no recipe */
export const prepareChange = (
  app: TestApp,
  client: TestClient,
  { endpoint, path }: Mounted,
): Promise<() => Promise<TestResponse>> => {
  const change = CHANGES[endpoint.id]
  if (!change) throw new Error(`${endpoint.id} writes, and testing/changes.ts does not say how to make it succeed`)
  return change(app, client, path.slice(0, -endpoint.path.length))
}
