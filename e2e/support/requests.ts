import { expect, type Page } from '@playwright/test'
import { type TlsSide, tlsSide } from '../../server/test/support/network/tls-side.ts'
import { type Receiver, startReceiver } from '../../server/test/support/races/receiver.ts'
import type { TestOrganization } from './server/people.ts'
import { reachablePort } from './server/shared-server.ts'
import { test as base, type Sortie } from './server/sortie.ts'

/** JSON of more than ten megabytes, in one line. */
export const LONG_BODY = JSON.stringify({
  users: Array.from({ length: 240_000 }, (_, id) => ({ id, name: `user number ${id} of many` })),
})

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** Bodies that are not JSON. */
const TEXTS: Record<string, { type: string; body: string } | undefined> = {
  '/page': {
    type: 'text/html; charset=utf-8',
    body: '<!doctype html><html><head><title>Shop</title><script>if (1 < 2) go("</p>")</script></head><body><p>Hello<br>you</p><ul><li>One<li>Two</ul></body></html>',
  },
  '/feed': {
    type: 'application/soap+xml',
    body: '<?xml version="1.0"?><a:order id="7"><item>Lamp</item><empty/></a:order>',
  },
}

const openSide = (port: number): Promise<Receiver> => {
  const counts = new Map<string, number>()
  return startReceiver(
    ({ url, headers }, response) => {
      const { pathname } = new URL(url, 'http://localhost')
      if (pathname === '/never') return
      const text = TEXTS[pathname]
      if (text) return void response.setHeader('content-type', text.type).end(text.body)
      response.setHeader('content-type', pathname === '/pixel' ? 'image/png' : 'application/json')
      if (pathname === '/pixel') return void response.end(PIXEL)
      if (pathname === '/long') return void response.end(LONG_BODY)
      if (pathname === '/slow') return void setTimeout(() => response.end('{"slow":true}'), 1_500)
      const count = (counts.get(pathname) ?? 0) + 1
      counts.set(pathname, count)
      response.statusCode = pathname === '/missing' ? 404 : 200
      response.end(
        `{"id":12345678901234567890,"count":${count},"seen":${JSON.stringify(headers.authorization ?? null)}}`,
      )
    },
    '127.0.0.1',
    port,
  )
}

/**
 * Tests in which the server may reach only these loopback servers (`side`, and `untrusted` by TLS). A separate server
 * for each worker took as long to start as several of these tests take.
 */
export const test = base.extend<{ side: Receiver; untrusted: TlsSide }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the pattern
  untrusted: async ({}, use, { parallelIndex }) => {
    const side = await tlsSide('self-signed', { port: reachablePort(2 * parallelIndex) })
    await use(side)
    await side.close()
  },
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the pattern
  side: async ({}, use, { parallelIndex }) => {
    const side = await openSide(reachablePort(2 * parallelIndex + 1))
    await use(side)
    await side.close()
  },
})

/** An active engagement whose requests its owner has open, and calls in it. */
export const openRequests = async (page: Page, { people }: Sortie, side: Receiver) => {
  const organization: TestOrganization = await people.organization()
  const { owner, id, slug } = organization
  const call = async (method: string, path: string, body?: unknown) =>
    (await people.call(owner, method, `/api/web${path}`, body, id)).body.data
  const engagementId: string = (await call('POST', '/engagements', { name: 'Contoso' })).id
  await warmUp(side, (body) => call('POST', '/api-requests/send', body))
  const home = `/o/${slug}/engagements/${engagementId}/requests`
  await people.signIn(page, owner, home)
  await expect(page.getByRole('navigation', { name: 'Saved requests' }).first()).toBeVisible()
  return {
    organization,
    engagementId,
    home,
    call,
    create: (path: string, body: object) => call('POST', path, { engagementId, ...body }),
  }
}

/**
 * A thread evaluates assertions within two seconds, including its start: on a busy machine the first one takes longer.
 */
const warmUp = async (
  side: Receiver,
  send: (body: object) => Promise<{ assertions: { passed: boolean }[] }>,
): Promise<void> => {
  const request = { url: `${side.origin}/pixel`, assertions: [{ subject: 'status', operator: 'equals', value: 200 }] }
  await expect
    .poll(
      async () => (await send({ engagementId: null, override: { reason: 'Warm-up' }, request })).assertions[0]?.passed,
      { timeout: 60_000 },
    )
    .toBe(true)
}
