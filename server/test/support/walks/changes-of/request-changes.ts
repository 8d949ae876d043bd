import type { TestApp } from '../../app/test-app.ts'
import type { TestClient, TestResponse } from '../../app/test-client.ts'

type Change = (app: TestApp, client: TestClient, prefix: string) => Promise<() => Promise<TestResponse>>

/** Refused by the egress policy: there is a run, and nothing is sent. */
const NOWHERE = 'http://127.0.0.1:9/'

const made = async (client: TestClient, path: string, body: object): Promise<{ id: string; engagementId: string }> =>
  (await client.post(path, body)).body.data
const engagementOf = async (client: TestClient, prefix: string) =>
  (await made(client, `${prefix}/engagements`, { name: 'With requests' })).id
const requestOf = async (client: TestClient, prefix: string) =>
  made(client, `${prefix}/api-requests`, {
    engagementId: await engagementOf(client, prefix),
    name: 'Before',
    url: NOWHERE,
  })
const folderOf = async (client: TestClient, prefix: string) =>
  made(client, `${prefix}/request-folders`, { engagementId: await engagementOf(client, prefix), name: 'Before' })
const environmentOf = async (client: TestClient, prefix: string) =>
  made(client, `${prefix}/environments`, { engagementId: await engagementOf(client, prefix), name: 'Before' })
const runOf = async (client: TestClient, prefix: string) =>
  made(client, `${prefix}/api-requests/send`, {
    engagementId: await engagementOf(client, prefix),
    request: { url: NOWHERE },
  })
const upload = (client: TestClient, path: string, rawBody = 'bytes of a file') =>
  client.request('POST', path, { rawBody })

/** Recipes with which the endpoints of saved requests succeed. */
export const REQUEST_CHANGES: Record<string, Change> = {
  createApiRequest: async (_app, client, prefix) => {
    const engagementId = await engagementOf(client, prefix)
    return () =>
      client.post(`${prefix}/api-requests`, {
        engagementId,
        name: 'Changed',
        url: NOWHERE,
        auth: { type: 'bearer', token: 'a secret' },
      })
  },
  updateApiRequest: async (_app, client, prefix) => {
    const { id } = await requestOf(client, prefix)
    return () => client.patch(`${prefix}/api-requests/${id}`, { name: 'Changed' })
  },
  deleteApiRequest: async (_app, client, prefix) => {
    const { id } = await requestOf(client, prefix)
    return () => client.delete(`${prefix}/api-requests/${id}`)
  },
  restoreApiRequest: async (_app, client, prefix) => {
    const { id } = await requestOf(client, prefix)
    await client.delete(`${prefix}/api-requests/${id}`)
    return () => client.post(`${prefix}/api-requests/${id}/restore`)
  },
  moveApiRequest: async (_app, client, prefix) => {
    const { id, engagementId } = await requestOf(client, prefix)
    const folder = await made(client, `${prefix}/request-folders`, { engagementId, name: 'Before' })
    return () => client.post(`${prefix}/api-requests/${id}/move`, { folderId: folder.id })
  },
  copyApiRequest: async (_app, client, prefix) => {
    const { id } = await requestOf(client, prefix)
    return () => client.post(`${prefix}/api-requests/${id}/copy`, { name: 'Changed' })
  },
  executeApiRequest: async (_app, client, prefix) => {
    const { id } = await requestOf(client, prefix)
    return () => client.post(`${prefix}/api-requests/${id}/execute`, {})
  },
  sendRequest: async (_app, client, prefix) => {
    const engagementId = await engagementOf(client, prefix)
    return () => client.post(`${prefix}/api-requests/send`, { engagementId, request: { url: NOWHERE } })
  },
  importApiRequests: async (_app, client, prefix) => {
    const engagementId = await engagementOf(client, prefix)
    return () =>
      upload(client, `${prefix}/api-requests/import?engagementId=${engagementId}`, 'curl https://example.com/')
  },
  uploadApiRequestFile: async (_app, client, prefix) => {
    const { id } = await requestOf(client, prefix)
    return () => upload(client, `${prefix}/api-requests/${id}/files?fileName=changed`)
  },
  deleteApiRequestFile: async (_app, client, prefix) => {
    const { id } = await requestOf(client, prefix)
    const file = (await upload(client, `${prefix}/api-requests/${id}/files?fileName=changed`)).body.data
    return () => client.delete(`${prefix}/api-requests/${id}/files/${file.id}`)
  },
  createRequestFolder: async (_app, client, prefix) => {
    const engagementId = await engagementOf(client, prefix)
    return () => client.post(`${prefix}/request-folders`, { engagementId, name: 'Changed' })
  },
  updateRequestFolder: async (_app, client, prefix) => {
    const { id } = await folderOf(client, prefix)
    return () => client.patch(`${prefix}/request-folders/${id}`, { name: 'Changed' })
  },
  deleteRequestFolder: async (_app, client, prefix) => {
    const { id } = await folderOf(client, prefix)
    return () => client.delete(`${prefix}/request-folders/${id}`)
  },
  restoreRequestFolder: async (_app, client, prefix) => {
    const { id } = await folderOf(client, prefix)
    await client.delete(`${prefix}/request-folders/${id}`)
    return () => client.post(`${prefix}/request-folders/${id}/restore`)
  },
  executeRequestFolder: async (_app, client, prefix) => {
    const { id, engagementId } = await folderOf(client, prefix)
    await made(client, `${prefix}/api-requests`, { engagementId, folderId: id, name: 'Before', url: NOWHERE })
    return () => client.post(`${prefix}/request-folders/${id}/execute`, {})
  },
  cancelRequestSequence: async (app, client, prefix) => {
    const { id } = await folderOf(client, prefix)
    const sequence = (await client.post(`${prefix}/request-folders/${id}/execute`, {})).body.data
    // In progress for every reader.
    const alive = new Date(Date.now() + 3_600_000).toISOString()
    await app.db
      .updateTable('request_sequences')
      .set({ state: 'running', ended_at: null, alive_until: alive })
      .where('id', '=', sequence.id)
      .execute()
    return () => client.post(`${prefix}/request-sequences/${sequence.id}/cancel`)
  },
  createEnvironment: async (_app, client, prefix) => {
    const engagementId = await engagementOf(client, prefix)
    return () =>
      client.post(`${prefix}/environments`, {
        engagementId,
        name: 'Changed',
        variables: [{ name: 'a', value: 'b', secret: true }],
      })
  },
  updateEnvironment: async (_app, client, prefix) => {
    const { id } = await environmentOf(client, prefix)
    return () => client.patch(`${prefix}/environments/${id}`, { name: 'Changed' })
  },
  deleteEnvironment: async (_app, client, prefix) => {
    const { id } = await environmentOf(client, prefix)
    return () => client.delete(`${prefix}/environments/${id}`)
  },
  updateRequestRun: async (_app, client, prefix) => {
    const { id } = await runOf(client, prefix)
    return () => client.patch(`${prefix}/request-runs/${id}`, { pinned: true })
  },
  deleteRequestRun: async (_app, client, prefix) => {
    const { id } = await runOf(client, prefix)
    return () => client.delete(`${prefix}/request-runs/${id}`)
  },
  attachRequestRun: async (_app, client, prefix) => {
    const { id } = await runOf(client, prefix)
    return () =>
      client.post(`${prefix}/request-runs/${id}/attach`, { newResult: { title: 'Changed', severity: 'low' } })
  },
}

/** Requests, folders, environments, runs and a sequence, with this word in each text. */
export const addRequests = async (owner: TestClient, engagementId: string, word: string): Promise<void> => {
  const folder = await made(owner, '/api/web/request-folders', {
    engagementId,
    name: `${word} folder`,
    auth: { type: 'bearer', token: `${word} token` },
  })
  const wanted = {
    engagementId,
    folderId: folder.id,
    name: `${word} request`,
    description: `${word} text`,
    url: `${NOWHERE}${word}`,
  }
  const request = await made(owner, '/api/web/api-requests', wanted)
  await upload(owner, `/api/web/api-requests/${request.id}/files?fileName=${word}-file`, `${word} bytes`)
  const variables = [{ name: 'token', value: `${word} secret`, secret: true }]
  await made(owner, '/api/web/environments', { engagementId, name: `${word} environment`, variables })
  await made(owner, `/api/web/request-folders/${folder.id}/execute`, {})
}
