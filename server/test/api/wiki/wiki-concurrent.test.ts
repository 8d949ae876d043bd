import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runs } from '../../support/app/nightly.ts'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient, TestResponse } from '../../support/app/test-client.ts'
import { mergeModel } from '../../support/inputs/line-merge-model.ts'

let app: TestApp
/** Two tabs of one person, another person, and a program. */
let editors: { client: TestClient; door: string; author: string | null }[]
const WEB = '/api/web/wiki-pages'

beforeAll(async () => {
  app = await testApp({ workers: false })
  const [owner, member, key] = [
    await app.signedIn('owner'),
    await app.signedIn('member'),
    await app.withKey(['wiki:read', 'wiki:write']),
  ]
  editors = [
    { client: owner, door: WEB, author: owner.user.id },
    { client: member, door: WEB, author: member.user.id },
    { client: key, door: '/api/v1/wiki-pages', author: null },
    { client: owner, door: WEB, author: owner.user.id },
  ]
})
afterAll(() => app.close())

const EDITORS = [0, 1, 2, 3]
const KINDS = ['replace', 'remove', 'insert'] as const

/** A change that the editor makes to its text before saving it. */
interface Edit {
  line: number
  kind: (typeof KINDS)[number]
}

interface Turn {
  edits: Edit[]
  /** True if the editor continues from the newest text, false if from its own. */
  isReread: boolean
  /** True if the editor makes the change of the first one in this round, in the same words. */
  isSame: boolean
}

type Round = [Turn, Turn, Turn, Turn]

const edit = fc.record({ line: fc.nat(11), kind: fc.constantFrom(...KINDS) })
const turn = fc.record({
  edits: fc.array(edit, { maxLength: 3 }),
  isReread: fc.boolean(),
  isSame: fc.integer({ min: 0, max: 3 }).map((draw) => draw === 0),
})
/** In each round all editors save at once. */
const rounds = fc.array(fc.tuple(turn, turn, turn, turn), { minLength: 1, maxLength: 6 })

const replacing = (lines: readonly number[], isSame: boolean) =>
  lines.map((line): Turn => ({ edits: [{ line, kind: 'replace' }], isReread: true, isSame })) as Round
/** All cases: all change another line, the same one, and the same one in the same words. */
const EXAMPLE: Round[] = [replacing([0, 2, 4, 6], false), replacing([1, 1, 1, 1], false), replacing([3, 3, 3, 3], true)]

/** Every line is unique: by the round, the line that it came from, and the author of its words. */
const edited = (base: readonly string[], edits: readonly Edit[], round: number, writer: number): string[] => {
  const lines = [...base]
  for (const [index, { line, kind }] of edits.entries()) {
    const origin = base[line % Math.max(1, base.length)] ?? ''
    const at = lines.indexOf(origin)
    const words = `${kind} in ${round} by ${writer}, ${index}: ${origin}`
    if (at < 0 || lines.includes(words)) continue
    if (kind === 'insert') lines.splice(at + 1, 0, words)
    // A text without a line is one empty line, which differs from the model's.
    else if (kind === 'replace' || lines.length === 1) lines[at] = words
    else lines.splice(at, 1)
  }
  return lines
}

interface Saved {
  revision: number
  lines: string[]
  author: string | null
}

interface Answer {
  editor: number
  base: number
  sent: string[]
  title: string
  response: TestResponse
}

const linesOf = (response: TestResponse): string[] => response.body.data.body.split('\n')

/** In the order of the server: `updatedAt` grows with each. */
const inOrder = (answers: readonly Answer[]): Answer[] =>
  answers
    .filter(({ response }) => response.status === 200)
    .toSorted((a, b) => (a.response.body.data.updatedAt < b.response.body.data.updatedAt ? -1 : 1))

/** Consecutive saves of one person are one entry; a key has no person, and each of its saves is one. */
const entriesOf = (history: readonly Saved[]): number[] =>
  history
    .filter(({ author }, index) => author === null || author !== history[index + 1]?.author)
    .map(({ revision }) => revision)

test('of random edits that are saved at once, exactly those are accepted that a model of merging allows, and none is lost', async () => {
  const seen = { accepted: 0, merged: 0, refused: 0, twice: 0 }
  await fc.assert(
    fc.asyncProperty(rounds, async (made) => {
      const start = Array.from({ length: 8 }, (_, index) => `line ${index}`)
      const { client, door } = editors[0] as (typeof editors)[0]
      const page = (await client.post(door, { title: 'Start', body: start.join('\n') })).body.data
      const address = `${door}/${page.id}`
      const history: Saved[] = [{ revision: 1, lines: start, author: editors[0]?.author ?? null }]
      const textOf = (revision: number) => (history[revision - 1] as Saved).lines
      const known = EDITORS.map(() => 1)
      let title = 'Start'

      for (const [round, turns] of made.entries()) {
        const answers = await Promise.all(
          EDITORS.map(async (editor): Promise<Answer> => {
            const { isReread, isSame, edits } = turns[editor] as Turn
            const writer = isSame ? 0 : editor
            if (isReread) known[editor] = history.length
            const base = known[editor] as number
            const sent = edited(textOf(base), isSame ? turns[0].edits : edits, round, writer)
            const ownTitle = `Title of ${editor} in ${round}`
            const { client: who, door: at } = editors[editor] as (typeof editors)[0]
            const response = await who.patch(`${at}/${page.id}`, {
              title: ownTitle,
              body: sent.join('\n'),
              baseRevision: base,
            })
            return { editor, base, sent, title: ownTitle, response }
          }),
        )
        const before = history.length
        for (const { editor, base, sent, title: ownTitle, response } of inOrder(answers)) {
          const current = history.at(-1) as Saved
          const expected = mergeModel(textOf(base), sent, current.lines)
          const isNew = expected?.join('\n') !== current.lines.join('\n')
          if (isNew)
            history.push({
              revision: history.length + 1,
              lines: expected ?? [],
              author: editors[editor]?.author ?? null,
            })
          expect(expected, 'a save that the model refuses').toBeDefined()
          expect(linesOf(response)).toEqual(expected)
          expect(response.body.data).toMatchObject({ title: ownTitle, revision: history.length })
          title = ownTitle
          known[editor] = history.length
          seen.accepted++
          if (response.body.meta.merged) seen.merged++
          if (!isNew && sent.join('\n') !== textOf(base).join('\n')) seen.twice++
        }
        for (const { base, sent, response } of answers.filter((answer) => answer.response.status !== 200)) {
          expect(response.status).toBe(409)
          const during = history.slice(before - 1).map(({ lines }) => mergeModel(textOf(base), sent, lines))
          expect(during, 'a save that the model allows at every moment of its round').toContain(undefined)
          seen.refused++
        }
        expect((await client.get(address)).body.data).toMatchObject({
          title,
          body: history.at(-1)?.lines.join('\n'),
          revision: history.length,
        })
      }

      const stored = await Promise.all(history.map(({ revision }) => client.get(`${address}/revisions/${revision}`)))
      expect(stored.map(linesOf)).toEqual(history.map(({ lines }) => lines))
      expect(stored.map(({ body }) => body.data.author?.id ?? null)).toEqual(history.map(({ author }) => author))
      const listed = (await client.get(`${address}/revisions?perPage=100`)).body.data
      expect(listed.map(({ revision }: { revision: number }) => revision)).toEqual(entriesOf(history).toReversed())
    }),
    { numRuns: runs(30), examples: [[EXAMPLE]] },
  )
  expect(Object.values(seen), JSON.stringify(seen)).not.toContain(0)
})
