import { randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import type { TestApp } from '../../app/test-app.ts'
import type { TestClient, TestResponse } from '../../app/test-client.ts'
import { png } from '../../reports/png.ts'

type Change = (app: TestApp, client: TestClient, prefix: string) => Promise<() => Promise<TestResponse>>

/** Refused by the egress policy, so that nothing is sent. */
const NOWHERE = 'http://127.0.0.1:9/'

interface Finding {
  id: string
  engagementId: string
  updatedAt: string
}

const findingOf = async (client: TestClient, prefix: string): Promise<Finding> => {
  const engagement = (await client.post(`${prefix}/engagements`, { name: 'With a finding' })).body.data
  return (await client.post(`${prefix}/findings`, { engagementId: engagement.id, title: 'Before', summary: 'before' }))
    .body.data
}

/** A change of a new finding. */
const onFinding =
  (
    send: (client: TestClient, path: string, finding: Finding, prefix: string) => Promise<TestResponse>,
    ...before: ((client: TestClient, path: string) => Promise<TestResponse>)[]
  ): Change =>
  async (_app, client, prefix) => {
    const finding = await findingOf(client, prefix)
    const path = `${prefix}/findings/${finding.id}`
    for (const step of before) expect((await step(client, path)).status).toBeLessThan(300)
    return () => send(client, path, finding, prefix)
  }

const trash = (client: TestClient, path: string) => client.delete(path)
const rewrite = (client: TestClient, path: string) => client.patch(path, { summary: 'after', baseRevision: 1 })
const upload = (client: TestClient, path: string) =>
  client.request('POST', `${path}/files?fileName=changed`, { rawBody: 'bytes of a file' })

/** A change of an affected asset of a new finding. */
const onAsset =
  (send: (client: TestClient, prefix: string, id: string) => Promise<TestResponse>): Change =>
  async (_app, client, prefix) => {
    const { id } = await findingOf(client, prefix)
    await client.post(`${prefix}/findings/${id}/affected`, { assets: ['changed.example'] })
    const [asset] = (await client.get(`${prefix}/findings/${id}/affected`)).body.data
    return () => send(client, prefix, asset.id)
  }

const newEntry = (word: string) => ({
  key: `${word}-${randomBytes(6).toString('hex')}`,
  mainLanguage: 'en',
  texts: { en: { title: word } },
})

/** A change of a new draft in the library. */
const onEntry =
  (send: (client: TestClient, path: string) => Promise<TestResponse>): Change =>
  async (_app, client, prefix) => {
    const { id } = (await client.post(`${prefix}/library-entries`, newEntry('before'))).body.data
    return () => send(client, `${prefix}/library-entries/${id}`)
  }

/** A change of a new retest of a finding. */
const onRetest =
  (send: (client: TestClient, path: string, itemId: string) => Promise<TestResponse>): Change =>
  async (_app, client, prefix) => {
    const { id, engagementId } = await findingOf(client, prefix)
    const retest = (await client.post(`${prefix}/retests`, { engagementId, name: 'Before', findingIds: [id] })).body
      .data
    const path = `${prefix}/retests/${retest.id}`
    const [item] = (await client.get(`${path}/items`)).body.data
    return () => send(client, path, item.id)
  }

/** A change of a comment on a new finding, which suggests another text. */
const onComment =
  (
    send: (client: TestClient, path: string) => Promise<TestResponse>,
    before?: (client: TestClient, path: string) => Promise<TestResponse>,
  ): Change =>
  async (_app, client, prefix) => {
    const { id } = await findingOf(client, prefix)
    const comment = { body: 'better', anchor: { section: 'summary', quote: 'before' }, suggestion: 'after' }
    const { body } = await client.post(`${prefix}/findings/${id}/comments`, comment)
    const path = `${prefix}/comments/${body.data.id}`
    if (before) expect((await before(client, path)).status).toBe(200)
    return () => send(client, path)
  }

/** How each endpoint that writes findings succeeds. */
export const FINDING_CHANGES: Record<string, Change> = {
  createFinding: async (_app, client, prefix) => {
    const { id } = (await client.post(`${prefix}/engagements`, { name: 'With findings' })).body.data
    return () => client.post(`${prefix}/findings`, { engagementId: id, title: 'Changed', severity: 'high' })
  },
  updateFinding: onFinding((client, path) => client.patch(path, { title: 'After', state: 'in_review', tags: ['a'] })),
  deleteFinding: onFinding((client, path) => client.delete(path)),
  restoreFinding: onFinding((client, path) => client.post(`${path}/restore`), trash),
  moveFinding: async (_app, client, prefix) => {
    const first = await findingOf(client, prefix)
    const { id } = (await client.post(`${prefix}/findings`, { engagementId: first.engagementId, title: 'Last' })).body
      .data
    return () => client.post(`${prefix}/findings/${id}/move`, { beforeId: first.id })
  },
  publishFinding: onFinding((client, path) => client.post(`${path}/publish`, { force: true, reason: 'urgent' })),
  unpublishFinding: onFinding(
    (client, path) => client.post(`${path}/unpublish`),
    (client, path) => client.post(`${path}/publish`, { force: true, reason: 'urgent' }),
  ),
  bulkUpdateFindings: onFinding((client, _path, { id }, prefix) =>
    client.post(`${prefix}/findings/bulk-update`, { ids: [id], set: { addTags: ['changed'] } }),
  ),
  revertFindings: onFinding((client, _path, { id, updatedAt }, prefix) =>
    client.post(`${prefix}/findings/bulk-revert`, {
      items: [{ id, ifUpdatedAt: updatedAt, set: { tags: ['former'] } }],
    }),
  ),
  restoreFindingRevision: onFinding((client, path) => client.post(`${path}/revisions/1/restore`), rewrite),
  addAffected: onFinding((client, path) => client.post(`${path}/affected`, { assets: ['changed.example'] })),
  updateAffected: onAsset((client, prefix, id) => client.patch(`${prefix}/affected/${id}`, { status: 'fixed' })),
  deleteAffected: onAsset((client, prefix, id) => client.delete(`${prefix}/affected/${id}`)),
  bulkUpdateAffected: onAsset((client, prefix, id) =>
    client.post(`${prefix}/affected/bulk-update`, { ids: [id], set: { status: 'fixed' } }),
  ),
  uploadFindingFile: async (_app, client, prefix) => {
    const { id } = await findingOf(client, prefix)
    const path = `${prefix}/findings/${id}/files?fileName=changed.png`
    const rawBody = png(1, 1, () => [0, 0, 0])
    const original = (await client.request('POST', path, { rawBody })).body.data
    return () => client.request('POST', `${path}&redacts=${original.id}`, { rawBody })
  },
  deleteFindingFile: async (_app, client, prefix) => {
    const { id } = await findingOf(client, prefix)
    const path = `${prefix}/findings/${id}`
    const file = (await upload(client, path)).body.data
    return () => client.delete(`${path}/files/${file.id}`)
  },
  updateFindingFile: async (_app, client, prefix) => {
    const { id } = await findingOf(client, prefix)
    const path = `${prefix}/findings/${id}`
    const file = (await upload(client, path)).body.data
    return () => client.patch(`${path}/files/${file.id}`, { caption: 'changed' })
  },
  createFindingComment: onFinding((client, path) => client.post(`${path}/comments`, { body: 'changed' })),
  acceptComment: onComment((client, path) => client.post(`${path}/accept`)),
  resolveComment: onComment((client, path) => client.post(`${path}/resolve`)),
  reopenComment: onComment(
    (client, path) => client.post(`${path}/reopen`),
    (client, path) => client.post(`${path}/resolve`),
  ),
  createResultComment: async (_app, client, prefix) => {
    const { id } = (await client.post(`${prefix}/engagements`, { name: 'With a result' })).body.data
    const result = { engagementId: id, title: 'Before', asset: '192.0.2.1', severity: 'low' }
    const { body } = await client.post(`${prefix}/results`, result)
    return () => client.post(`${prefix}/results/${body.data.id}/comments`, { body: 'changed' })
  },
  uploadLibraryEntryFile: onEntry((client, path) => upload(client, path)),
  deleteLibraryEntryFile: async (_app, client, prefix) => {
    const { id } = (await client.post(`${prefix}/library-entries`, newEntry('before'))).body.data
    const path = `${prefix}/library-entries/${id}`
    const file = (await upload(client, path)).body.data
    return () => client.delete(`${path}/files/${file.id}`)
  },
  createLibraryEntry: async (_app, client, prefix) => () =>
    client.post(`${prefix}/library-entries`, newEntry('changed')),
  updateLibraryEntry: onEntry((client, path) => client.patch(path, { texts: { en: { summary: 'after' } } })),
  deleteLibraryEntry: onEntry((client, path) => client.delete(path)),
  copyLibraryEntry: onEntry((client, path) => client.post(`${path}/copy`)),
  importLibraryEntries: async (_app, client, prefix) => () =>
    client.request('POST', `${prefix}/library-entries/import?format=json&mode=apply`, {
      rawBody: JSON.stringify({ entries: [newEntry('imported')] }),
    }),
  createRetest: onFinding((client, _path, { id, engagementId }, prefix) =>
    client.post(`${prefix}/retests`, { engagementId, name: 'Changed', findingIds: [id] }),
  ),
  updateRetest: onRetest((client, path) => client.patch(path, { state: 'running' })),
  deleteRetest: onRetest((client, path) => client.delete(path)),
  updateRetestItem: onRetest((client, path, itemId) =>
    client.patch(`${path}/items/${itemId}`, { outcome: 'fixed', note: 'changed' }),
  ),
  runRetestItem: async (_app, client, prefix) => {
    const { id, engagementId } = await findingOf(client, prefix)
    const request = (await client.post(`${prefix}/api-requests`, { engagementId, name: 'Proof', url: NOWHERE })).body
      .data
    await client.patch(`${prefix}/findings/${id}`, { proofs: [{ type: 'request', id: request.id }] })
    const retest = (await client.post(`${prefix}/retests`, { engagementId, name: 'Running', findingIds: [id] })).body
      .data
    const path = `${prefix}/retests/${retest.id}`
    expect((await client.patch(path, { state: 'running' })).status).toBe(200)
    const [item] = (await client.get(`${path}/items`)).body.data
    return () => client.post(`${path}/items/${item.id}/run`)
  },
  dismissFindingSuggestion: async (_app, client, prefix) => {
    const { id } = (await client.post(`${prefix}/engagements`, { name: 'With suggestions' })).body.data
    return () => client.post(`${prefix}/finding-suggestions/dismiss`, { engagementId: id, key: 'rule/changed' })
  },
  undismissFindingSuggestion: async (_app, client, prefix) => {
    const body = {
      engagementId: (await client.post(`${prefix}/engagements`, { name: 'With suggestions' })).body.data.id,
      key: 'rule/changed',
    }
    await client.post(`${prefix}/finding-suggestions/dismiss`, body)
    return () => client.post(`${prefix}/finding-suggestions/undismiss`, body)
  },
  updateReportSettings: async (_app, client, prefix) => {
    // With four-eyes review, later examples could not approve what they write.
    const { words } = (await client.get(`${prefix}/report-settings`)).body.data
    return () => client.patch(`${prefix}/report-settings`, { words: [...words, `word${words.length}`] })
  },
}

/** Findings with all attached objects. */
export const addFindings = async (
  owner: TestClient,
  engagementId: string,
  targetId: string,
  word: string,
): Promise<void> => {
  const must = async (response: Promise<TestResponse>) => {
    const { status, text, body } = await response
    expect(status, text).toBeLessThan(300)
    return body.data
  }
  const made = {
    engagementId,
    title: `${word} finding`,
    summary: `${word} summary`,
    tags: [word],
    clientStatus: { state: 'planned', reason: `${word} reason` },
    reviewerId: (await must(owner.get('/api/web/account'))).id,
    resultIds: [
      (
        await must(
          owner.post('/api/web/results', {
            engagementId,
            title: `${word} seen`,
            asset: `${word}.test`,
            severity: 'low',
          }),
        )
      ).id,
    ],
  }
  const { id } = await must(owner.post('/api/web/findings', made))
  await must(owner.post(`/api/web/findings/${id}/affected`, { targetIds: [targetId] }))
  await must(owner.request('POST', `/api/web/findings/${id}/files?fileName=${word}-file`, { rawBody: `${word} bytes` }))
  await must(owner.post('/api/web/findings', { engagementId, title: `${word} other finding` }))
  const anchor = { section: 'summary', quote: word }
  await must(
    owner.post(`/api/web/findings/${id}/comments`, {
      body: `${word} comment`,
      anchor,
      suggestion: `${word} suggestion`,
    }),
  )
  const texts = { en: { title: `${word} entry`, description: `${word} text` } }
  const entry = await must(
    owner.post('/api/web/library-entries', { key: `${word} ${id.slice(-8)}`, mainLanguage: 'en', texts }),
  )
  await must(owner.patch(`/api/web/library-entries/${entry.id}`, { severity: 'high' }))
  await must(
    owner.request('POST', `/api/web/library-entries/${entry.id}/files?fileName=${word}-file`, {
      rawBody: `${word} bytes`,
    }),
  )
  await must(owner.post('/api/web/findings', { engagementId, libraryEntryId: entry.id }))
  const request = await must(
    owner.post('/api/web/api-requests', { engagementId, name: `${word} proof`, url: `https://${word}.test/` }),
  )
  await must(owner.patch(`/api/web/findings/${id}`, { proofs: [{ type: 'request', id: request.id }] }))
  const retest = await must(owner.post('/api/web/retests', { engagementId, name: `${word} retest`, findingIds: [id] }))
  const [item] = await must(owner.get(`/api/web/retests/${retest.id}/items`))
  await must(owner.patch(`/api/web/retests/${retest.id}/items/${item.id}`, { note: `${word} note` }))
  await must(owner.post('/api/web/library-entries', { fromFindingId: id }))
  await must(owner.post('/api/web/finding-suggestions/dismiss', { engagementId, key: `rule/${word.toLowerCase()}` }))
}
