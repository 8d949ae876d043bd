import { afterAll, beforeAll, expect, test } from 'vitest'
import { isRefusal } from '../../src/features/scope/rules/host.ts'
import { type Recognised, recognise } from '../../src/features/scope/rules/recognise.ts'
import { findRuleSet } from '../../src/features/scope/scope.service.ts'
import { noteFoundTargets, smallestNetworks } from '../../src/features/targets/found-targets.service.ts'
import { orderKeyOf } from '../../src/features/targets/target-keys.ts'
import { findTarget } from '../../src/features/targets/targets.queries.ts'
import { transaction } from '../../src/platform/database/transaction.ts'
import { type TestApp, testApp } from '../support/app/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp({ workers: false })
})
afterAll(() => app.close())

const found = (...texts: string[]) =>
  texts.map((text) => {
    const value = recognise(text)
    if (isRefusal(value)) throw new Error(value.refused)
    return value as Recognised<'domain' | 'ip'>
  })

test('addresses and names in an import become targets with verdicts, below the smallest network; existing ones are marked as seen, and stay unchanged', async () => {
  const owner = await app.signedIn('owner')
  const { id: engagementId } = (await owner.post('/api/web/engagements', { name: 'Found' })).body.data
  const make = async (path: string, body: object) =>
    (await owner.post(`/api/web/${path}`, { engagementId, ...body })).body.data
  await make('scope-rules', { effect: 'allow', pattern: '10.0.0.0/8' })
  await make('targets', { value: '10.0.0.0/8' })
  const small = await make('targets', { value: '10.1.0.0/16' })
  const known = await make('targets', { value: 'www.example.com', notes: 'mine' })
  const { organization, db } = app
  const note = (seenAt: string, limit: number, ...texts: string[]) =>
    transaction(db, async (tx) => {
      const rules = await findRuleSet(tx, organization.id, engagementId)
      const now = '2026-11-22T12:00:00.000Z'
      return noteFoundTargets(
        tx,
        { organizationId: organization.id, engagementId, source: 'import', seenAt, now, rules, limit },
        found(...texts),
      )
    })
  const first = await note('2026-11-20T10:00:00.000Z', 100, '10.1.2.3', 'WWW.example.com', '10.1.2.3', '192.0.2.1')
  expect(first.map((made) => made?.isNew)).toEqual([true, false, false, true])
  expect([first[1]?.id, first[2]?.id]).toEqual([known.id, first[0]?.id])
  const row = await findTarget(db, organization.id, first[0]?.id as string)
  const times = { first_seen_at: '2026-11-20T10:00:00.000Z', last_seen_at: '2026-11-20T10:00:00.000Z' }
  expect(row).toMatchObject({ source: 'import', verdict: 'in', parent_id: small.id, ...times })
  expect(await findTarget(db, organization.id, known.id)).toMatchObject({
    notes: 'mine',
    source: 'manual',
    updated_at: known.updatedAt,
    ...times,
  })
  await note('2026-11-18T10:00:00.000Z', 100, '10.1.2.3')
  await note('2026-11-21T10:00:00.000Z', 100, '10.1.2.3')
  const seen = { first_seen_at: '2026-11-18T10:00:00.000Z', last_seen_at: '2026-11-21T10:00:00.000Z' }
  expect(await findTarget(db, organization.id, first[0]?.id as string)).toMatchObject(seen)
  expect(
    (await note('2026-11-21T10:00:00.000Z', 6, '10.9.9.1', '10.9.9.2', '10.1.2.3')).map((made) => made?.isNew),
  ).toEqual([true, undefined, false])
})

test('the smallest network is found for IPv4 and IPv6, and none for addresses outside of all networks', () => {
  const networks = ['0.0.0.0/0', '10.0.0.0/8', '10.1.0.0/16', '2001:db8::/32', '2001:db8:1::/48']
  const parentOf = smallestNetworks(
    found(...networks).map((value) => ({ id: value.canonical, order_key: orderKeyOf(value) })),
  )
  const parents = found(
    '10.1.2.3',
    '10.2.2.3',
    '192.0.2.1',
    '2001:db8:1::5',
    '2001:db8:2::5',
    '2001:db9::1',
    'example.com',
  ).map(({ subject }) => parentOf(subject))
  expect(parents).toEqual(['10.1.0.0/16', '10.0.0.0/8', '0.0.0.0/0', '2001:db8:1::/48', '2001:db8::/32', null, null])
})
