import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { limitTime } from '../../../src/platform/concurrency/time-limit.ts'
import { listen } from '../../support/clients/listeners.ts'

const block = (ms: number) => {
  for (const until = performance.now() + ms; performance.now() < until;);
}

test('a time limit ends after its milliseconds, and not before', async () => {
  const startedAt = performance.now()
  await new Promise<void>((resolve) => void limitTime(500, resolve))
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(495)
})

test('an ended time limit calls nothing', async () => {
  let calls = 0
  limitTime(50, () => calls++)()
  await sleep(200)
  expect(calls).toBe(0)
})

test('time in which the process did not get to run does not count: an exchange of several messages continues', async () => {
  const { port, stop } = await listen((socket) => socket.pipe(socket), '127.0.0.1')
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  let isLate = false
  const end = limitTime(1_000, () => (isLate = true))
  for (let round = 0; round < 4; round++) {
    socket.write('ping')
    block(1_200)
    await once(socket, 'data')
  }
  end()
  socket.destroy()
  await stop()
  expect(isLate).toBe(false)
})
