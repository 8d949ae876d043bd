import type { TestApp } from '../app/test-app.ts'
import type { RequestOptions, TestClient, TestResponse } from '../app/test-client.ts'
import { prepareChange } from './changes.ts'
import type { Mounted } from './walk.ts'

/** One request that makes a change. */
export interface CapturedChange {
  /** Sends it, any number of times; with `text` as its body if it is given. */
  send(headers?: Record<string, string>, text?: string): Promise<TestResponse>
  /** The body as it is sent; empty if there is none. */
  text: string
}

/** Prepares a change and captures its request, so that it can be sent more than once. */
export const captureChange = async (app: TestApp, client: TestClient, route: Mounted): Promise<CapturedChange> => {
  const own = client.with({})
  const make = await prepareChange(app, own, route)
  const held: [method: string, path: string, options: RequestOptions][] = []
  own.request = (method, path, options) => {
    held.push([method, path, options ?? {}])
    return Promise.resolve({ status: 0, headers: new Headers(), body: undefined, text: '' })
  }
  await make()
  const [request] = held
  if (!request || held.length > 1) throw new Error(`${route.name} is not one request of this client`)
  const [method, path, { body }] = request
  const ownText = body === undefined ? '' : JSON.stringify(body)
  return {
    text: ownText,
    send: (headers = {}, text = ownText) =>
      client.request(
        method,
        path,
        text === '' ? { headers } : { rawBody: text, headers: { 'content-type': 'application/json', ...headers } },
      ),
  }
}
