import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openRaw, rawRequest } from '../../testing/raw-http.ts'
import type { Overload } from './overload.ts'
import { refuseEarly } from './refuse-early.ts'

/** As `headersTimeout` of the server, but shorter: a connection on which the parser sees no request is ended after this. */
const SILENT_MS = 3_000
const GET = rawRequest('GET /api/v1/organizations/current HTTP/1.1')
const full: Overload = {
  refusal: () => 'requests under way',
  begin: () => ({ pause: () => undefined, resume: () => undefined, end: () => undefined }),
  refused: () => undefined,
  close: () => undefined,
}

let server: Server
let origin: string
beforeEach(async () => {
  server = createServer({ headersTimeout: SILENT_MS, requestTimeout: SILENT_MS, connectionsCheckingInterval: 50 })
  refuseEarly(server, full, () => ({}), 65_000)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterEach(() => {
  server.closeAllConnections()
  server.close()
})

test.each(['before the first refusal', 'while others are refused'])(
  'F12: a connection opened %s, all of whose requests are refused, stays open as one that is served',
  async (when) => {
    const first = await openRaw(origin)
    const other = await openRaw(origin)
    expect(await other.exchange(GET)).toMatchObject([{ status: 503 }])
    const connection = when === 'before the first refusal' ? first : await openRaw(origin)
    for (const startedAt = performance.now(); performance.now() - startedAt < 2 * SILENT_MS; await sleep(250)) {
      expect(await connection.exchange(GET)).toMatchObject([{ status: 503 }])
    }
    expect(connection.isClosed()).toBe(false)
  },
)
