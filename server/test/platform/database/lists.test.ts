import { closedObject, endpoint } from '@sortie/contract/core/endpoint.ts'
import { selectionOf } from '@sortie/contract/core/lists.ts'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { lockSelection } from '../../../src/features/engagements/selections.service.ts'
import { transaction } from '../../../src/platform/database/transaction.ts'
import { type RequestParser, requestParser } from '../../../src/platform/http/routes/validate.ts'
import { newId } from '../../../src/platform/ids.ts'
import type { Selection } from '../../../src/platform/lists/list.ts'
import { runs } from '../../support/app/nightly.ts'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import { anyChange, anyThing, orderedBy, SORTS } from '../../support/walks/list-orders.ts'
import {
  actorOf,
  createThings,
  insertEngagement,
  type Thing,
  thingContract,
  thingList,
  things,
} from '../../support/walks/scratch-list.ts'

const declaration = {
  method: 'GET',
  path: '/things',
  scope: 'targets:read',
  about: 'engagement',
  origin: 'extension',
  summary: 'x',
} as const
const listThings = endpoint({
  ...declaration,
  id: 'listThings',
  query: thingContract.query,
  reply: thingContract.reply,
})
const countThings = endpoint({
  ...declaration,
  id: 'countThings',
  query: thingContract.facetsQuery,
  reply: thingContract.facetsReply,
})
const changeThings = endpoint({
  ...declaration,
  id: 'changeThings',
  method: 'POST',
  body: closedObject(selectionOf(thingContract, 'fil')),
  reply: thingContract.reply,
})

let app: TestApp
let [organizationId, engagementId] = ['', '']
let parsers: Record<'list' | 'count' | 'change', RequestParser>

beforeAll(async () => {
  app = await testApp({ workers: false })
  organizationId = app.organization.id
  await createThings(app)
  parsers = { list: requestParser(listThings), count: requestParser(countThings), change: requestParser(changeThings) }
})
afterAll(() => app.close())
beforeEach(async () => {
  await things(app.db).deleteFrom('things').execute()
  engagementId = await newEngagement()
})
const newEngagement = (status?: 'active' | 'archived') => insertEngagement(app.db, organizationId, status)

/** Ids are in the order of their creation. */
let nextMs = Date.parse('2026-01-01')

const thing = (values: Partial<Thing> = {}): Thing => ({
  id: newId('fil', nextMs++),
  organization_id: organizationId,
  engagement_id: engagementId,
  name: 'thing',
  kind: 'host',
  severity: null,
  owner_id: null,
  port: 80,
  tags: [],
  due_on: null,
  seen_at: null,
  order_key: 'k',
  position: 'a0',
  ...values,
})

const insert = async (...values: Partial<Thing>[]): Promise<string[]> => {
  const rows = values.map(thing)
  await things(app.db).insertInto('things').values(rows).execute()
  return rows.map(({ id }) => id)
}

const asker = (actor = actorOf(organizationId)) => ({
  db: app.platform.scopedTo(organizationId, actor.viewer),
  keys: app.platform.keys,
  actor,
})

const page = async (query: string, actor = actorOf(organizationId)) => {
  const { rows, meta } = await thingList.page(
    asker(actor),
    parsers.list.query(query) as Parameters<typeof thingList.page>[1],
  )
  return { ids: rows.map(({ id }) => id), rows, meta }
}
const idsOf = async (query: string, actor = actorOf(organizationId)) => (await page(query, actor)).ids.toSorted()
const facets = (query: string) =>
  thingList.facets(asker(), parsers.count.query(query) as Parameters<typeof thingList.facets>[1])
const choose = (selection: unknown, actor = actorOf(organizationId)) =>
  transaction(app.platform.scopedTo(organizationId), (tx) =>
    lockSelection(tx, actor, thingList, parsers.change.body(selection as Record<string, unknown>) as Selection),
  )

/** Every id of the list in order; `meanwhile` runs after each page. */
const walk = async (
  query: string,
  meanwhile: (seen: readonly string[]) => Promise<unknown> = async () => undefined,
): Promise<string[]> => {
  const seen: string[] = []
  let cursor: string | null = null
  do {
    const { ids, meta } = await page(`${query}${cursor ? `&cursor=${cursor}` : ''}`)
    expect(meta.nextCursor?.length ?? 0).toBeLessThanOrEqual(1_000)
    seen.push(...ids)
    cursor = meta.nextCursor
    await meanwhile(seen)
  } while (cursor !== null)
  return seen
}

describe('a walk by cursor', () => {
  test('is in the order of every sort, either way, with nulls, ties, letter case and names of 200 astral characters', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyThing, { maxLength: 24 }), fc.integer({ min: 1, max: 7 }), async (rows, perPage) => {
        await things(app.db).deleteFrom('things').execute()
        if (rows.length > 0) await insert(...rows)
        for (const sort of SORTS) {
          for (const order of ['asc', 'desc'] as const) {
            const walked = await walk(`engagementId=${engagementId}&sort=${sort}&order=${order}&perPage=${perPage}`)
            expect(walked, `${sort} ${order}`).toEqual(await orderedBy(app.db, sort, order))
          }
        }
      }),
      { numRuns: 5 },
    )
  })

  test('repeats none and skips no permanent row, while rows are added, deleted and changed', async () => {
    const walks = fc.record({
      rows: fc.array(anyThing, { minLength: 4, maxLength: 20 }),
      sort: fc.constantFrom(...SORTS),
      order: fc.constantFrom('asc' as const, 'desc' as const),
      perPage: fc.integer({ min: 1, max: 5 }),
      changes: fc.array(fc.array(anyChange, { maxLength: 4 }), { maxLength: 12 }),
    })
    await fc.assert(
      fc.asyncProperty(walks, async ({ rows, sort, order, perPage, changes }) => {
        await things(app.db).deleteFrom('things').execute()
        const stood = new Set(await insert(...rows))
        const turns = changes.values()
        const meanwhile = async () => {
          for (const change of turns.next().value ?? []) {
            if (change.kind === 'add') await insert(change.row)
            else {
              const id = [...stood][change.at % Math.max(1, stood.size)] ?? ''
              // Unsorted fields may change freely.
              if (change.kind === 'touch')
                await things(app.db).updateTable('things').set({ port: change.at }).where('id', '=', id).execute()
              else await things(app.db).deleteFrom('things').where('id', '=', id).execute()
              if (change.kind === 'delete') stood.delete(id)
            }
          }
        }
        const seen = await walk(
          `engagementId=${engagementId}&sort=${sort}&order=${order}&perPage=${perPage}`,
          meanwhile,
        )
        expect(new Set(seen).size).toBe(seen.length)
        expect([...stood].filter((id) => !seen.includes(id))).toEqual([])
      }),
      { numRuns: runs(40) },
    )
  })

  test('ends if all rows after the cursor are deleted, and still has the total', async () => {
    const ids = await insert({}, {}, {})
    const { meta } = await page('perPage=2&order=asc')
    await things(app.db)
      .deleteFrom('things')
      .where('id', '=', ids[2] as string)
      .execute()
    expect(await page(`perPage=2&order=asc&cursor=${meta.nextCursor}`)).toMatchObject({
      ids: [],
      meta: { nextCursor: null, total: 2, perPage: 2 },
    })
  })

  test('a cursor of another list, filter, sort, order or organization is 400; another perPage is not', async () => {
    await insert({}, {}, {}, {})
    const { meta } = await page(`engagementId=${engagementId}&kind=host,url&perPage=1`)
    const cursor = `cursor=${meta.nextCursor}`
    const same = `engagementId=${engagementId}&kind=host,url`
    expect((await page(`${same}&perPage=3&${cursor}`)).ids.length).toBe(3)
    const others = [
      '',
      'kind=host,url',
      `engagementId=${engagementId}&kind=host`,
      `${same}&q=x`,
      `${same}&sort=name`,
      `${same}&order=desc`,
      `${same}&sort=createdAt`,
    ]
    for (const query of others) await expect(page(`${query}&${cursor}`), query).rejects.toMatchObject({ status: 400 })
    const other = await app.createOrganization()
    const stranger = { ...asker(), actor: actorOf(other.id) }
    await expect(
      thingList.page(stranger, parsers.list.query(`${same}&${cursor}`) as Parameters<typeof thingList.page>[1]),
    ).rejects.toMatchObject({
      status: 400,
    })
  })

  test('anything else sent as a cursor is 400', async () => {
    await insert({ name: 'b' }, { name: 'a' })
    const { nextCursor } = (await page('perPage=1&sort=name')).meta
    const given = nextCursor as string
    const [mac, id, value] = given.split('.')
    const hostile = [
      'x',
      '.',
      '..',
      '...',
      given.slice(0, -1),
      given.slice(1),
      `${given}A`,
      `${given}.`,
      `${given}=`,
      `${mac}.${id}.`,
      `${mac}.${id}`,
      `${mac}..${value}`,
      `.${id}.${value}`,
      given.toUpperCase(),
      id as string,
      'A'.repeat(1_000),
      'é'.repeat(900),
      encodeURIComponent('\u{1f600}').repeat(10),
      Buffer.from('{"value":"x","id":"y"}').toString('base64url'),
      `${mac}.${id}.w${Buffer.from([0xff, 0xff, 0xff]).toString('base64url')}`,
    ]
    for (const cursor of hostile)
      await expect(page(`perPage=1&sort=name&cursor=${cursor}`), cursor).rejects.toMatchObject({ status: 400 })
    await expect(page(`cursor=${'x'.repeat(1_001)}`)).rejects.toMatchObject({ status: 400 })
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', minLength: 1, maxLength: 200 }), async (text) => {
        await expect(page(`sort=name&cursor=${encodeURIComponent(text.toWellFormed())}`)).rejects.toMatchObject({
          status: 400,
        })
      }),
      { numRuns: runs(200) },
    )
  })
})

describe('the total', () => {
  test('is exact up to 10,000 and null above', async () => {
    await sql`insert into things (id, organization_id, engagement_id, name, kind, port, order_key, position)
      select 'fil_' || lpad(i::text, 26, '0'), ${organizationId}, ${engagementId}, 'n', case when i % 10 = 0 then 'url' else 'host' end, i % 7, 'k', 'a'
      from generate_series(1, 10000) i`.execute(app.db)
    expect((await page('perPage=1')).meta.total).toBe(10_000)
    await expect(choose({ filter: { engagementId } })).resolves.toHaveLength(10_000)
    expect(await facets(`by=kind,severity,ownerId,tag&engagementId=${engagementId}`)).toEqual({
      kind: { host: 9_000, url: 1_000, service: 0 },
      severity: { low: 0, high: 0, none: 10_000 },
      ownerId: { none: 10_000 },
      tag: {},
    })
    await insert({ kind: 'host' })
    expect((await page('perPage=1')).meta.total).toBeNull()
    expect((await page('perPage=1&kind=host')).meta.total).toBe(9_001)
    await expect(choose({ filter: { engagementId } })).rejects.toMatchObject({
      status: 409,
      message: expect.stringContaining('more than 10000'),
    })
    expect(await facets('by=kind,severity,ownerId,tag')).toEqual({
      kind: { host: 9_001, url: 1_000, service: 0 },
      severity: { low: 0, high: 0, none: null },
      ownerId: null,
      tag: null,
    })
    expect(await facets('by=kind&kind=url,service')).toEqual({ kind: { host: 0, url: 1_000, service: 0 } })
  })
})

describe('the total of a search', () => {
  test('is exact among 100,000 rows and up to 200 matches, and otherwise null', async () => {
    // Each statement is well within the time limit of the server's statements.
    for (let first = 1; first <= 100_000; first += 5_000)
      await sql`insert into things (id, organization_id, engagement_id, name, kind, port, order_key, position)
        select 'fil_' || lpad(i::text, 26, '0'), ${organizationId}, ${engagementId}, case when i <= 3 then 'rare' when i <= 300 then 'some' else 'n' end, 'host', 1, 'k', 'a'
        from generate_series(${first}::int, ${first + 4_999}::int) i`.execute(app.db)
    expect((await page('perPage=1&q=rare')).meta.total).toBe(3)
    expect((await page('perPage=1&q=some')).meta.total).toBe(297)
    await insert({ kind: 'url', name: 'rare' })
    expect((await page('perPage=1&q=some')).meta.total).toBeNull()
    expect((await page('perPage=1&q=some&kind=host')).meta.total).toBe(297)
    for (const sort of ['createdAt', 'name', 'dueOn']) {
      const { rows, meta } = await page(`perPage=3&q=rare&sort=${sort}`)
      expect([rows.length, meta.total, meta.nextCursor === null]).toEqual([3, 4, false])
      expect((await page(`perPage=3&q=rare&sort=${sort}&cursor=${meta.nextCursor}`)).rows).toHaveLength(1)
    }
    expect((await page('q=absent')).meta.total).toBe(0)
  })
})

describe('filters', () => {
  const me = actorOf('', 'user').id

  test('each finds its values; several values mean any, several filters all', async () => {
    const [a, b, c] = (await insert(
      {
        kind: 'host',
        severity: 'low',
        owner_id: me,
        port: 0,
        tags: ['x', 'Y'],
        due_on: '2026-01-02',
        seen_at: '2026-01-02T00:00:00.000Z',
      },
      { kind: 'service', severity: 'high', owner_id: 'usr_00000000000000000000000002', port: 443, tags: ['y'] },
      { kind: 'url', engagement_id: null, port: 8_080, due_on: '2026-01-03', seen_at: '2026-01-01T23:59:59.999Z' },
    )) as [string, string, string]
    const found: Record<string, string[]> = {
      '': [a, b, c],
      'kind=host': [a],
      'kind=host,url': [a, c],
      'kind=host,host': [a],
      'severity=none': [c],
      'severity=none,low': [a, c],
      [`ownerId=${me}`]: [a],
      'ownerId=none': [c],
      'ownerId=usr_00000000000000000000000002,none': [b, c],
      'ownerId=me': [a],
      'ownerId=me,none': [a, c],
      'port=0': [a],
      'port=443,8080': [b, c],
      'tag=x': [a],
      'tag=Y,y': [a, b],
      'tag=X': [],
      'seenSince=2026-01-02': [a],
      'seenSince=2026-01-01T23:59:59.999Z': [a, c],
      'dueBefore=2026-01-03': [a],
      'organization=true': [c],
      'organization=false': [a, b, c],
      [`engagementId=${engagementId}`]: [a, b],
      [`engagementId=${engagementId}&kind=host,url&tag=x`]: [a],
      [`engagementId=${engagementId}&kind=url`]: [],
    }
    for (const [query, ids] of Object.entries(found)) {
      expect(await idsOf(query), query).toEqual(ids.toSorted())
      expect((await page(query)).meta.total, query).toBe(ids.length)
    }
    await expect(page('ownerId=me', actorOf(organizationId, 'key', 'key_1'))).rejects.toMatchObject({ status: 400 })
  })

  test('q finds a part ignoring case, of any column, and every character is literal', async () => {
    const [a, b, c, d] = await insert(
      { name: 'ÄRGER 100%' },
      { name: 'a_b\\c' },
      { name: 'other', tags: ['Größe'] },
      { name: '100 aXb' },
    )
    const found: Record<string, (string | undefined)[]> = {
      ärger: [a],
      '0%': [a],
      '%': [a],
      _: [b],
      a_b: [b],
      '\\': [b],
      GRÖSSE: [],
      größe: [c],
      "'": [],
      AXB: [d],
      '100': [a, d],
    }
    for (const [part, ids] of Object.entries(found))
      expect(await idsOf(`q=${encodeURIComponent(part)}`), part).toEqual(ids.toSorted())
  })

  test('an impossible value is 400, and named', async () => {
    const refused = {
      'kind=hosts': 'kind: must be one of host, service, url',
      'kind=': 'kind: must be one of host, service, url',
      'kind=host,,url': 'kind: must be one of host, service, url',
      'port=65536': 'port: must be a whole number from 0 to 65535',
      'port=x': 'port: must be a whole number from 0 to 65535',
      'seenSince=2026-02-30': 'seenSince: must be a day like 2026-11-21, or a time like 2026-11-21T08:30:00.000Z',
      'seenSince=yesterday': 'seenSince: must be a day like 2026-11-21, or a time like 2026-11-21T08:30:00.000Z',
      'organization=yes': 'organization: must be a boolean',
      'ownerId=no one': 'ownerId: does not have the expected form',
      [`kind=${Array.from({ length: 101 }, () => 'host').join()}`]: 'kind: must have at most 100 entries',
      'sort=position': 'sort: position needs engagementId',
      'sort=kind': 'sort: must be one of createdAt, name, dueOn, seenAt, severity, orderKey, position',
    }
    for (const [query, message] of Object.entries(refused))
      await expect(page(query), query).rejects.toMatchObject({ status: 400, message })
  })

  test('an engagement that the caller does not see is 404, like an unknown one, in pages, counts and selections', async () => {
    const hidden = await newEngagement()
    await insert({ engagement_id: hidden })
    await app.db
      .insertInto('engagement_restrictions')
      .values({ organization_id: organizationId, engagement_id: hidden, team_only: true })
      .execute()
    const member = { ...actorOf(organizationId), viewer: 'usr_00000000000000000000000001' }
    const never = 'eng_00000000000000000000000000'
    const answers = async (id: string) => {
      const db = app.platform.scopedTo(organizationId, member.viewer)
      const queries = [
        thingList.page(
          { ...asker(member), db },
          parsers.list.query(`engagementId=${id}`) as Parameters<typeof thingList.page>[1],
        ),
        thingList.facets(
          { db, actor: member },
          parsers.count.query(`by=kind&engagementId=${id}`) as Parameters<typeof thingList.facets>[1],
        ),
        transaction(db, (tx) => lockSelection(tx, member, thingList, { filter: { engagementId: id } })),
      ]
      return Promise.all(
        queries.map((query) =>
          query.then(
            () => 'found',
            (error: { status: number; message: string }) => `${error.status} ${error.message}`,
          ),
        ),
      )
    }
    expect(await answers(hidden)).toEqual(await answers(never))
    expect(new Set(await answers(never))).toEqual(new Set(['404 There is nothing with this id.']))
    expect(await idsOf('', member)).toEqual([])
    expect((await page(`engagementId=${engagementId}`)).ids).toEqual([])
  })
})

describe('the default order', () => {
  test('is the newest first, and by position ascending if an engagement is named', async () => {
    const [a, b] = await insert({ position: 'b' }, { position: 'a' })
    expect((await page('')).ids).toEqual([b, a])
    expect((await page(`engagementId=${engagementId}`)).ids).toEqual([b, a])
    expect((await page(`engagementId=${engagementId}&order=desc`)).ids).toEqual([a, b])
    expect((await page(`engagementId=${engagementId}&sort=createdAt`)).ids).toEqual([b, a])
    expect((await page('order=asc')).ids).toEqual([a, b])
  })
})

describe('a selection for a bulk change', () => {
  test('accepts ids or a filter; unknown ids do not count; text with commas means the same as in a query', async () => {
    const [a, b, c] = (await insert({ kind: 'host', port: 1 }, { kind: 'url' }, { engagement_id: null })) as [
      string,
      string,
      string,
    ]
    const never = 'fil_00000000000000000000000000'
    expect((await choose({ ids: [a, a, c, never] })).toSorted()).toEqual([a, c].toSorted())
    expect(await choose({ ids: [never] })).toEqual([])
    expect(await choose({ filter: { engagementId, kind: 'host' } })).toEqual([a])
    expect(await choose({ filter: { engagementId, kind: ['url'] } })).toEqual([b])
    expect((await choose({ filter: { engagementId, kind: 'host,url' } })).toSorted()).toEqual([a, b].toSorted())
    expect(await choose({ filter: { engagementId, port: 1 } })).toEqual([a])
  })

  test('is 422 with both, with neither, with a filter without engagementId, and with an unknown filter', async () => {
    const [id] = await insert({})
    const ids = Array.from({ length: 1_001 }, () => id)
    const refused = [
      {},
      { ids: [id], filter: { engagementId } },
      { filter: {} },
      { filter: { kind: 'host' } },
      { ids: [] },
      { ids },
      { filter: { engagementId, kind: 'x' } },
    ]
    for (const selection of [...refused, { filter: { engagementId, surprise: 1 } }, { filter: [] }, { ids: id }]) {
      await expect(async () => choose(selection), JSON.stringify(selection).slice(0, 80)).rejects.toMatchObject({
        status: 422,
      })
    }
    expect(await choose({ ids: ids.slice(0, 1_000) })).toEqual([id])
  })

  test('is 409 if one of its engagements is archived', async () => {
    const archived = await newEngagement('archived')
    const ids = await insert({}, { engagement_id: archived })
    await expect(choose({ ids })).rejects.toMatchObject({ status: 409 })
    await expect(choose({ filter: { engagementId: archived } })).rejects.toMatchObject({ status: 409 })
    expect(await choose({ ids: ids.slice(0, 1) })).toEqual(ids.slice(0, 1))
  })
})
