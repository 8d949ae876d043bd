import { expect, test } from 'vitest'
import { createPageTexts } from '../../../src/features/wiki/text/page-texts.ts'

test('changes of one page wait for each other, those of others do not; a caller who waits too long is refused, and changes nothing', async () => {
  const { inTurn } = createPageTexts(200)
  const done: string[] = []
  const held = Promise.withResolvers<void>()
  const change = (page: string, name: string, until?: Promise<void>) =>
    inTurn(page, async () => {
      await until
      done.push(name)
      return name
    })
  const first = change('a', 'first', held.promise)
  const refused = [change('a', 'second'), change('a', 'third')]
  expect(await change('b', 'elsewhere')).toBe('elsewhere')
  for (const turn of refused)
    await expect(turn).rejects.toMatchObject({ status: 503, message: expect.stringMatching(/are queued/) })
  const next = change('a', 'next')
  held.resolve()
  expect([await first, await next]).toEqual(['first', 'next'])
  expect(done).toEqual(['elsewhere', 'first', 'next'])
})

test('a change that fails lets the next one start', async () => {
  const { inTurn } = createPageTexts()
  const failing = inTurn('a', () => Promise.reject(new Error('refused')))
  const next = inTurn('a', async () => 'next')
  await expect(failing).rejects.toThrow('refused')
  expect(await next).toBe('next')
})
