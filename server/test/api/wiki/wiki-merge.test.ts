import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hunksBetween, linesOf } from '../../../src/platform/text-merge/line-changes.ts'
import { mergeTexts } from '../../../src/platform/text-merge/merge.ts'
import { runs } from '../../support/app/nightly.ts'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'

let app: TestApp
let owner: TestClient
let member: TestClient
const WEB = '/api/web/wiki-pages'

beforeAll(async () => {
  app = await testApp({ workers: false })
  owner = await app.signedIn('owner')
  member = await app.signedIn('member')
})
afterAll(() => app.close())

const create = async (body: string) =>
  (await owner.post(WEB, { title: 'Page', body })).body.data as { id: string; updatedAt: string }
const save = (client: TestClient, id: string, body: string, baseRevision: number) =>
  client.patch(`${WEB}/${id}`, { body, baseRevision })
const text = async (id: string): Promise<string> => (await owner.get(`${WEB}/${id}`)).body.data.body

describe('a text that others have changed', () => {
  test('is merged if an unchanged line is between the changes, and the answer reports it', async () => {
    const { id } = await create('one\n\ntwo\n\nthree')
    expect((await save(owner, id, 'ONE\n\ntwo\n\nthree', 1)).body).toMatchObject({
      data: { revision: 2 },
      meta: { merged: false },
    })
    const merged = await save(member, id, 'one\n\ntwo\n\nTHREE', 1)
    expect(merged.body).toMatchObject({
      data: { revision: 3, body: 'ONE\n\ntwo\n\nTHREE', updatedBy: { id: expect.any(String) } },
      meta: { merged: true },
    })
  })

  test('is refused if changes touch, and then nothing of the request is done', async () => {
    const { id } = await create('one\ntwo\nthree')
    await save(owner, id, 'ONE\ntwo\nthree', 1)
    const before = (await owner.get(`${WEB}/${id}`)).body
    for (const body of ['uno\ntwo\nthree', 'one\nTWO\nthree', 'one\nmore\ntwo\nthree', 'zero\none\ntwo\nthree', '']) {
      const { status } = await member.patch(`${WEB}/${id}`, { title: 'Other', isTemplate: true, body, baseRevision: 1 })
      expect(status, body).toBe(409)
    }
    expect((await owner.get(`${WEB}/${id}`)).body).toEqual(before)
  })

  test('with the same change made twice is one change, and makes no revision', async () => {
    const { id } = await create('one\ntwo')
    await save(owner, id, 'ONE\ntwo', 1)
    expect((await save(member, id, 'ONE\ntwo', 1)).body).toMatchObject({
      data: { revision: 2, body: 'ONE\ntwo' },
      meta: { merged: false },
    })
    expect((await save(member, id, 'one\ntwo', 1)).body).toMatchObject({
      data: { revision: 2, body: 'ONE\ntwo' },
      meta: { merged: true },
    })
  })

  test('needs the revision that it was made from, and an existing one', async () => {
    const { id, updatedAt } = await create('one')
    expect((await owner.patch(`${WEB}/${id}`, { body: 'two' })).status).toBe(422)
    for (const base of [0, 2, -1, 1.5, '1', null])
      expect((await owner.patch(`${WEB}/${id}`, { body: 'two', baseRevision: base })).status).toBe(422)
    expect((await owner.patch(`${WEB}/${id}`, { title: 'New', ifUpdatedAt: '2026-01-01T00:00:00.000Z' })).status).toBe(
      409,
    )
    expect((await owner.patch(`${WEB}/${id}`, { title: 'New', ifUpdatedAt: updatedAt })).body.data).toMatchObject({
      title: 'New',
      revision: 1,
    })
    expect(await text(id)).toBe('one')
  })

  test('is refused when its base was replaced more than 7 days ago; the current one is never too old', async () => {
    const { id } = await create('one\n\ntwo')
    await save(owner, id, 'ONE\n\ntwo', 1)
    const old = new Date(app.clock.now() - 7 * 24 * 60 * 60 * 1000 - 1).toISOString()
    await app.db
      .updateTable('wiki_revisions')
      .set({ created_at: old, superseded_at: old })
      .where('page_id', '=', id)
      .where('revision', '=', 1)
      .execute()
    await app.db
      .updateTable('wiki_revisions')
      .set({ created_at: old })
      .where('page_id', '=', id)
      .where('revision', '=', 2)
      .execute()
    expect((await save(member, id, 'one\n\nTWO', 1)).status).toBe(409)
    expect((await save(member, id, 'ONE\n\nTWO', 2)).status).toBe(200)
  })
})

test('two texts that together exceed the limit of a page are not merged: 409, and nothing is written', async () => {
  const [first, last] = ['a'.repeat(249_000), 'b'.repeat(249_000)]
  const { id } = (await owner.post('/api/web/wiki-pages', { title: 'Full', body: `${first}\n\n\n${last}` })).body.data
  const grown = 'c'.repeat(1_500)
  const save = (body: string) => owner.patch(`/api/web/wiki-pages/${id}`, { body, baseRevision: 1 })
  expect((await save(`${first}${grown}\n\n\n${last}`)).status).toBe(200)
  const { status, body } = await save(`${first}\n\n\n${last}${grown}`)
  expect([status, body.error.message]).toEqual([409, expect.stringContaining('more than 500000 characters')])
  expect((await owner.get(`/api/web/wiki-pages/${id}`)).body.data.revision).toBe(2)
})

test('a hundred parallel edits of different paragraphs end with all hundred in the text', async () => {
  const paragraphs = Array.from({ length: 100 }, (_, index) => `Paragraph ${index}\nwith a second line`)
  const { id } = await create(paragraphs.join('\n\n'))
  const edits = paragraphs.map((paragraph, index) => {
    const edited = paragraphs.with(index, `${paragraph}, edited by ${index}`)
    return save(index % 2 ? owner : member, id, edited.join('\n\n'), 1)
  })
  const answers = await Promise.all(edits)
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  expect(await text(id)).toBe(paragraphs.map((paragraph, index) => `${paragraph}, edited by ${index}`).join('\n\n'))
  expect(new Set(answers.map(({ body }) => body.data.revision)).size).toBe(100)
})

describe('no edit is lost', () => {
  interface Edit {
    /** Index of the text that it is made from, counted back from the newest. */
    age: number
    line: number
    kind: 'change' | 'insert' | 'remove'
  }

  const edits = fc.array(
    fc.record({
      age: fc.nat(5),
      line: fc.nat(30),
      kind: fc.constantFrom<Edit['kind'][]>('change', 'insert', 'remove'),
    }),
    {
      minLength: 1,
      maxLength: 25,
    },
  )

  const applied = (lines: readonly string[], { line, kind }: Edit, mark: string): string[] => {
    const at = line % Math.max(1, lines.length)
    if (kind === 'change') return lines.with(at, `${lines[at]} ${mark}`)
    return kind === 'insert' ? lines.toSpliced(at, 0, mark) : lines.toSpliced(at, 1)
  }

  test('random saves from random bases: every accepted one is in the text, until a writer who saw it changes it', async () => {
    await fc.assert(
      fc.asyncProperty(edits, async (made) => {
        const { id } = await create(Array.from({ length: 20 }, (_, index) => `line ${index}`).join('\n'))
        const texts = [await text(id)]
        for (const [index, edit] of made.entries()) {
          const base = Math.max(0, texts.length - 1 - edit.age)
          const [from, before] = [linesOf(texts[base] as string), linesOf(texts.at(-1) as string)]
          const wanted = applied(from, edit, `<${index}>`)
          const { status, body } = await save(index % 2 ? owner : member, id, wanted.join('\n'), base + 1)
          const after = await text(id)
          if (status === 409) {
            expect(after).toBe(texts.at(-1))
            continue
          }
          expect(status).toBe(200)
          expect(body.data.body).toBe(after)
          // Unchanged parts stay: lines of others that its base did not have, and its own mark.
          const others = before.filter((line) => !from.includes(line))
          for (const line of others) expect(linesOf(after)).toContain(line)
          if (edit.kind !== 'remove') expect(after).toContain(`<${index}>`)
          if (body.data.revision > texts.length) texts.push(after)
          expect(body.data.revision).toBe(texts.length)
        }
      }),
      { numRuns: 15 },
    )
  })

  const someLines = fc.array(fc.constantFrom<string[]>('a', 'b', 'c', '', 'long line'), { maxLength: 30 })

  test('hunks turn one text into another, are in order, and an unchanged line is between two', () => {
    fc.assert(
      fc.property(someLines, someLines, (before, after) => {
        const hunks = hunksBetween(before, after)
        const made = hunks
          .toReversed()
          .reduce((lines, { from, to, lines: renewed }) => lines.toSpliced(from, to - from, ...renewed), before)
        expect(made).toEqual(after)
        for (const [index, { from }] of hunks.entries())
          if (index > 0) expect(from).toBeGreaterThan(hunks[index - 1]?.to as number)
      }),
      { numRuns: runs(2_000) },
    )
  })

  test('merging does not depend on the order, and keeps unchanged lines', () => {
    fc.assert(
      fc.property(someLines, someLines, someLines, (base, mine, theirs) => {
        const [b, m, t] = [base.join('\n'), mine.join('\n'), theirs.join('\n')]
        expect(mergeTexts(b, m, t)).toBe(mergeTexts(b, t, m))
        expect(mergeTexts(b, b, t)).toBe(t)
        expect(mergeTexts(b, m, m)).toBe(m)
      }),
      { numRuns: runs(2_000) },
    )
  })
})

describe('the most expensive texts', () => {
  const letters = 'abcdefghijklmnopqrstuvwxyz'
  const random = (seed: number) =>
    Array.from({ length: 250_000 }, (_, index) => letters[(index * 7919 * seed + (index >> 3)) % 26])
      .join('\n')
      .slice(0, 500_000)

  test('half a million characters in lines of one are merged, and the server answers others during it', async () => {
    const lines = Array.from({ length: 250_000 }, (_, index) => letters[(index * 31) % 26] as string)
    const { id } = await create(lines.join('\n').slice(0, 500_000))
    const base = linesOf(await text(id))
    await save(owner, id, base.with(10, 'X').with(200_000, 'Y').join('\n'), 1)
    const pauses = watchPauses()
    const begun = performance.now()
    const [merged] = await Promise.all([
      save(member, id, base.with(1_000, 'Z').join('\n'), 1),
      owner.get('/api/web/engagements'),
    ])
    // Another thread merges: this process only receives and sends the texts.
    expect(pauses.stop()).toBeLessThan((performance.now() - begun) / 2)
    expect(merged.body.meta).toEqual({ merged: true })
    expect(linesOf(merged.body.data.body)).toEqual(base.with(10, 'X').with(200_000, 'Y').with(1_000, 'Z'))
  })

  test('texts without a common line are refused within seconds, and compared as a whole', async () => {
    const { id } = await create(random(1))
    await save(owner, id, random(2), 1)
    expect((await save(member, id, random(3), 1)).status).toBe(409)
    const { body } = await owner.get(`${WEB}/${id}/revisions/2?against=1`)
    const joined = (types: string[]) =>
      body.data.diff
        .filter(({ type }: { type: string }) => types.includes(type))
        .flatMap(({ lines }: { lines: string[] }) => lines)
    expect(joined(['same', 'added']).join('\n')).toBe(random(2))
    expect(joined(['same', 'removed']).join('\n')).toBe(random(1))
  })

  /** The longest time that the event loop was blocked. */
  const watchPauses = () => {
    let last = performance.now()
    let longest = 0
    const timer = setInterval(() => {
      const now = performance.now()
      longest = Math.max(longest, now - last - 5)
      last = now
    }, 5)
    return { stop: () => (clearInterval(timer), longest) }
  }
})
