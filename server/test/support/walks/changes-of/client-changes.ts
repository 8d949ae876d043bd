import { randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import type { TestApp } from '../../app/test-app.ts'
import type { TestClient, TestResponse } from '../../app/test-client.ts'

type Change = (app: TestApp, client: TestClient, prefix: string) => Promise<() => Promise<TestResponse>>

const clientOf = async (client: TestClient, prefix: string): Promise<string> =>
  (await client.post(`${prefix}/clients`, { name: 'Before' })).body.data.id

const upload = (client: TestClient, prefix: string, id: string) =>
  client.request('POST', `${prefix}/clients/${id}/files?fileName=changed`, { rawBody: 'bytes of a file' })

const definitionOf = async (client: TestClient, prefix: string): Promise<string> =>
  (
    await client.post(`${prefix}/field-definitions`, {
      objectType: 'task',
      key: newKey(),
      type: 'text',
      label: 'Before',
    })
  ).body.data.id

const newKey = () => `key_${randomBytes(6).toString('hex')}`

/** How each endpoint that writes clients or custom fields succeeds. */
export const CLIENT_CHANGES: Record<string, Change> = {
  createClient: async (_app, client, prefix) => () => client.post(`${prefix}/clients`, { name: 'Changed' }),
  updateClient: async (_app, client, prefix) => {
    const id = await clientOf(client, prefix)
    return () => client.patch(`${prefix}/clients/${id}`, { shortName: 'CHG', domains: ['changed.example'] })
  },
  deleteClient: async (_app, client, prefix) => {
    const id = await clientOf(client, prefix)
    return () => client.delete(`${prefix}/clients/${id}`)
  },
  uploadClientFile: async (_app, client, prefix) => {
    const id = await clientOf(client, prefix)
    return () => upload(client, prefix, id)
  },
  deleteClientFile: async (_app, client, prefix) => {
    const id = await clientOf(client, prefix)
    const file = (await upload(client, prefix, id)).body.data
    return () => client.delete(`${prefix}/clients/${id}/files/${file.id}`)
  },
  createFieldDefinition: async (_app, client, prefix) => () =>
    client.post(`${prefix}/field-definitions`, { objectType: 'target', key: newKey(), type: 'text', label: 'Changed' }),
  updateFieldDefinition: async (_app, client, prefix) => {
    const id = await definitionOf(client, prefix)
    return () => client.patch(`${prefix}/field-definitions/${id}`, { label: 'Changed', position: 7 })
  },
  deleteFieldDefinition: async (_app, client, prefix) => {
    const id = await definitionOf(client, prefix)
    return () => client.delete(`${prefix}/field-definitions/${id}`)
  },
}

/** A client with a file. @returns its id */
export const addClient = async (owner: TestClient, name: string, word: string): Promise<string> => {
  const made = await owner.post('/api/web/clients', { name, notes: `${word} notes` })
  expect(made.status, made.text).toBe(201)
  const { id } = made.body.data
  const file = await owner.request('POST', `/api/web/clients/${id}/files?fileName=${word}-file`, {
    rawBody: `${word} bytes`,
  })
  expect(file.status, file.text).toBe(201)
  return id
}
