import { expect, test } from 'vitest'
import { readLetter } from '../../src/features/scope/letter/letter.ts'
import { hereMs } from '../support/app/machine.ts'

test('a letter of the longest lines takes less than 30 ms of processor time for each, whatever they contain', async () => {
  for (const word of [
    'not ',
    'do not be in the ',
    'leave x y z ',
    'a.bc ',
    '10.0.0.1 ',
    'nicht ',
    '(',
    'a-',
    '::',
    '- ',
    '\ufdfa',
  ]) {
    const text = `${word.repeat(Math.floor(1_000 / word.length))}\n`.repeat(10)
    const before = process.cpuUsage()
    await readLetter(text)
    const { user, system } = process.cpuUsage(before)
    expect((user + system) / 1_000 / 10, word).toBeLessThan(hereMs(30))
  }
})
