import type { TestApp } from '../../app/test-app.ts'
import type { TestClient, TestResponse } from '../../app/test-client.ts'

type Change = (app: TestApp, client: TestClient, prefix: string) => Promise<() => Promise<TestResponse>>

let serial = 0
/** A view of a new engagement. */
const viewIn = async (client: TestClient, prefix: string) => {
  const { id: engagementId } = (await client.post(`${prefix}/engagements`, { name: 'Viewed' })).body.data
  return { list: 'targets', engagementId, name: `View ${++serial}`, search: 'kind=domain' }
}

const viewOf = async (client: TestClient, prefix: string): Promise<string> =>
  (await client.post(`${prefix}/views`, await viewIn(client, prefix))).body.data.id

/** Recipes with which endpoints of saved views succeed. */
export const VIEW_CHANGES: Record<string, Change> = {
  createView: async (_app, client, prefix) => {
    const wanted = await viewIn(client, prefix)
    return () => client.post(`${prefix}/views`, wanted)
  },
  updateView: async (_app, client, prefix) => {
    const id = await viewOf(client, prefix)
    return () => client.patch(`${prefix}/views/${id}`, { search: 'kind=ip' })
  },
  deleteView: async (_app, client, prefix) => {
    const id = await viewOf(client, prefix)
    return () => client.delete(`${prefix}/views/${id}`)
  },
}
