import { randomUUID } from 'node:crypto'
import { type Caller, sessionOf } from '../app/callers.ts'
import type { TestApp } from '../app/test-app.ts'
import type { TestResponse } from '../app/test-client.ts'
import { checkResponse } from '../document/check-response.ts'
import { openRaw } from '../network/raw-http.ts'
import { addressOf, bodyOf, type Mounted, paramsOf, pathOf, takesBytes } from '../walks/walk.ts'

/** A request of which the headers and the first half of the body were sent. */
export interface HalfSentRequest {
  /** Sends the rest. @throws if an answer came before, or one that the contract does not allow */
  finish(): Promise<TestResponse>
}

/**
 * The address of a request that is valid except for its right: the destination of a file is checked before the file is
 * read.
 */
export const halfSentAddress = async (app: TestApp, { organization }: Caller, route: Mounted): Promise<string> => {
  if (!takesBytes(route)) return pathOf(route)
  const owner = await sessionOf(app, organization.owner, organization)
  const made = async (path: string, body: object): Promise<string> => (await owner.post(path, body)).body.data.id
  const engagementId = await made('/api/web/engagements', { name: 'Held' })
  const holders: Record<string, () => Promise<string>> = {
    taskId: () => made('/api/web/tasks', { engagementId, title: 'Held' }),
    requestId: () => made('/api/web/api-requests', { engagementId, name: 'Held', url: 'https://example.com/' }),
    resultId: () => made('/api/web/results', { engagementId, title: 'Held', asset: '192.0.2.1', severity: 'low' }),
    findingId: () => made('/api/web/findings', { engagementId, title: 'Held' }),
    entryId: () =>
      made('/api/web/library-entries', {
        key: `held-${randomUUID().slice(0, 8)}`,
        mainLanguage: 'en',
        texts: { en: { title: 'Held' } },
      }),
    clientId: () => made('/api/web/clients', { name: 'Held' }),
    templateId: () => made('/api/web/report-templates', { name: 'Held' }),
    reportId: () => made('/api/web/reports', { engagementId, title: 'Held' }),
    pageId: () => made('/api/web/wiki-pages', { engagementId, title: 'Held' }),
  }
  const [holder] = Object.keys(paramsOf(route)).filter((name) => name in holders)
  const ids = { engagementId, ...(holder && { [holder]: await holders[holder]?.() }) }
  return addressOf(route, ids).replace(/(?<=[?&]engagementId=)\w+/, engagementId)
}

/** A body for every route, also for those without one: only the wait matters. */
const textFor = (route: Mounted, body: unknown) => JSON.stringify(body ?? bodyOf(route) ?? {})

/** @param body replaces the sample that the route's schema accepts */
export const sendHalf = async (
  { client }: Pick<Caller, 'client'>,
  route: Mounted,
  path = pathOf(route),
  body?: unknown,
): Promise<HalfSentRequest> => {
  const text = textFor(route, body)
  const half = Math.ceil(text.length / 2)
  const headers = Object.entries({
    host: 'localhost',
    ...client.headers,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
  })
  const connection = await openRaw(client.origin)
  connection.send(
    `${route.method} ${path} HTTP/1.1\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${text.slice(0, half)}`,
  )
  return {
    finish: async () => {
      if (connection.hasAnswer()) throw new Error(`${route.name} was answered before its body was there`)
      const [answer] = await connection.exchange(text.slice(half))
      connection.close()
      if (!answer) throw new Error(`${route.name} was not answered`)
      const response = {
        status: answer.status,
        headers: new Headers(answer.headers),
        text: answer.body,
        body: JSON.parse(answer.body),
      }
      await checkResponse(route.method, path, response)
      return response
    },
  }
}

/** Sends the complete request at once. */
export const sendWhole = (
  { client }: Pick<Caller, 'client'>,
  route: Mounted,
  path = pathOf(route),
  body?: unknown,
): Promise<TestResponse> =>
  client.request(route.method, path, { rawBody: textFor(route, body), headers: { 'content-type': 'application/json' } })
