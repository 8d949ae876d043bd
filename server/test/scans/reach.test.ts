import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { OutOfScopeError } from '../../src/features/scans/scanners/scanner.ts'
import { type Listener, listen } from '../support/clients/listeners.ts'
import { rulesOf, testReach } from '../support/scans/scan-reach.ts'

let listeners: Listener[] = []
afterEach(async () => {
  for (const listener of listeners.splice(0)) await listener.stop()
})

const opened = async (): Promise<Listener> => {
  const listener = await listen()
  listeners = [...listeners, listener]
  return listener
}

const placeOf = ({ port }: Listener) => ({ host: '127.0.0.1', port })

test('a new rule applies to the next connection of a scan', async () => {
  const listener = await opened()
  const stage = testReach()
  const first = await stage.reach.connect(placeOf(listener), 1_000)
  first.destroy()
  stage.rules = rulesOf('deny 127.0.0.1')
  await expect(stage.reach.connect(placeOf(listener), 1_000)).rejects.toThrow(OutOfScopeError)
  await sleep(50)
  expect(listener.accepted).toBe(1)
})

test('the end of the testing hours, or a closed engagement, stops the scan and leaves nothing open', async () => {
  for (const end of [{ outsideHours: 'the testing hours are over' }, { stop: 'the engagement is closed' }]) {
    const listener = await opened()
    const stage = testReach()
    const socket = await stage.reach.connect(placeOf(listener), 1_000)
    stage.rules = { ...stage.rules, ...end }
    await expect(stage.reach.connect(placeOf(listener), 1_000)).rejects.toThrow()
    expect(stage.stops).toEqual(Object.values(end))
    await expect.poll(() => socket.destroyed).toBe(true)
    expect(listener.accepted).toBe(1)
  }
})

test('an override bypasses scope and hours, and neither the status of the engagement nor the egress policy', async () => {
  const listener = await opened()
  const rules = { ...rulesOf('deny 127.0.0.1'), outsideHours: 'the testing hours are over' }
  const overridden = testReach({ rules, override: true })
  const socket = await overridden.reach.connect(placeOf(listener), 1_000)
  socket.destroy()
  const refused = testReach({ rules, override: true, egress: { EGRESS_DENY: ['127.0.0.1'] } })
  await expect(refused.reach.connect(placeOf(listener), 1_000)).rejects.toThrow('egress')
  const closed = testReach({ rules: { ...rules, stop: 'the engagement is closed' }, override: true })
  await expect(closed.reach.connect(placeOf(listener), 1_000)).rejects.toThrow('closed')
  expect(listener.accepted).toBe(1)
})

test('connections that fail free their slot, also those of HTTP', async () => {
  const listener = await opened()
  const { port } = await opened()
  await listeners.pop()?.stop()
  const stage = testReach({ maxConnections: 1 })
  for (let attempt = 0; attempt < 3; attempt++) {
    await expect(stage.reach.connect({ host: '127.0.0.1', port }, 500)).rejects.toThrow()
    const agent = stage.reach.createHttpAgent({ host: '127.0.0.1', port }, 500)
    await expect(agent.request({ origin: `http://127.0.0.1:${port}`, path: '/', method: 'GET' })).rejects.toThrow()
    await agent.destroy()
  }
  const socket = await stage.reach.connect(placeOf(listener), 1_000)
  socket.destroy()
})
