import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hereMs } from '../../support/app/machine.ts'
import { eventually } from '../../support/app/server-process.ts'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'
import { openStream } from '../../support/clients/event-stream.ts'

let app: TestApp
let owner: TestClient

beforeAll(async () => {
  app = await testApp({ workers: false })
  owner = await app.signedIn('owner')
})
afterAll(() => app.close())

const WITHIN_MS = 1_000

describe('A15: a stream ends within a second', () => {
  /** @returns milliseconds from the answer to `end` until the stream has ended */
  const timeToEnd = async (client: TestClient, query: string, end: () => Promise<{ status: number }>) => {
    const stream = await openStream(client, `/api/web/events${query}`)
    expect(stream.status).toBe(200)
    expect((await end()).status).toBe(200)
    const answeredAt = performance.now()
    await eventually(() => expect(stream.ended).toBe(true), 10_000, 5)
    return performance.now() - answeredAt
  }

  test('after its session signs out', async () => {
    const member = await app.signedIn('member')
    expect(await timeToEnd(member, '', () => member.post('/api/auth/sign-out'))).toBeLessThan(hereMs(WITHIN_MS))
  })

  test('after its member is removed', async () => {
    const member = await app.signedIn('member')
    expect(
      await timeToEnd(member, '', () => owner.delete(`/api/web/organizations/current/members/${member.user.id}`)),
    ).toBeLessThan(hereMs(WITHIN_MS))
  })

  test('after the engagement is limited to its team, or deleted', async () => {
    const member = await app.signedIn('member')
    const { id } = (await owner.post('/api/web/engagements', { name: 'Closes' })).body.data
    const details = `/api/web/engagements/${id}/details`
    expect(await timeToEnd(member, `?engagementId=${id}`, () => owner.patch(details, { access: 'team' }))).toBeLessThan(
      hereMs(WITHIN_MS),
    )
    await owner.patch(details, { access: 'organization' })
    const remove = () => owner.delete(`/api/web/engagements/${id}`, { body: { name: 'Closes' } })
    expect(await timeToEnd(member, `?engagementId=${id}`, remove)).toBeLessThan(hereMs(WITHIN_MS))
  })

  test('after its session expires, whatever it receives', async () => {
    const member = await app.signedIn('member')
    const stream = await openStream(member)
    app.clock.advance(60 * 60 * 1000)
    await eventually(() => expect(stream.ended).toBe(true), WITHIN_MS, 5)
    owner = await app.signIn(app.organization.owner, app.organization.id)
  })
})

test('an announced event arrives within a second and a half, and a silent stream beats every 10 seconds', async () => {
  const stream = await openStream(owner)
  const startedAt = performance.now()
  const { id } = (await owner.post('/api/web/engagements', { name: 'Heard' })).body.data
  await stream.hears(id)
  expect(performance.now() - startedAt).toBeLessThan(hereMs(1_500))
  const quiet = await openStream(owner)
  await eventually(() => expect(quiet.text()).toBe(':\n\n:\n\n'), 12_000)
  stream.close()
  quiet.close()
})
