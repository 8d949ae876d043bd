import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { EventReader, MAX_UNREAD_BYTES } from '../../../src/platform/events/reader.ts'

const EVENT = `data: ${'x'.repeat(1_000)}\n\n`

test('a reader that reads nothing has a small buffer, receives reset once it catches up, and is closed if it does not', async () => {
  let closed = 0
  const reader = new EventReader(() => closed++)
  const sendTooMuch = () => {
    for (let n = 0; n < 1_000; n++) reader.send(EVENT)
  }
  sendTooMuch()
  expect(reader.readable.readableLength).toBeLessThanOrEqual(MAX_UNREAD_BYTES)
  let text = ''
  reader.readable.on('data', (chunk: Buffer) => (text += String(chunk)))
  await sleep(10)
  expect(text.length).toBeLessThanOrEqual(MAX_UNREAD_BYTES + 100)
  expect(text.endsWith('event: reset\ndata: {}\n\n')).toBe(true)
  reader.send('data: later\n\n')
  await sleep(10)
  expect(text.endsWith('data: later\n\n')).toBe(true)

  reader.readable.pause()
  sendTooMuch()
  reader.beat(0, 60_000)
  expect([reader.readable.destroyed, closed]).toEqual([false, 0])
  reader.beat(0, 0)
  await sleep(10)
  expect([reader.readable.destroyed, closed]).toEqual([true, 1])
  reader.send(EVENT)
  reader.end()
})

test('a reader that has ended receives nothing more', async () => {
  const reader = new EventReader(() => undefined)
  reader.end()
  reader.send(EVENT)
  reader.end()
  const chunks: Buffer[] = []
  for await (const chunk of reader.readable) chunks.push(chunk)
  expect(String(Buffer.concat(chunks))).toBe(':\n\n')
})
