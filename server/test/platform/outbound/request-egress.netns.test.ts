import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, test } from 'vitest'

interface Counted {
  attempts: number
  outcomes: Record<string, number>
  /** Connections to refused addresses, connections requested from the proxy, and those to the good address. */
  canaries: number
  proxied: number
  good: number
}

let counted: {
  vectors: Record<'direct' | 'variables' | 'redirects' | 'proxied' | 'proxies' | 'tricks' | 'locations', Counted>
  names: Record<'direct' | 'redirects', Counted>
  unguarded: Counted
  guarded: Counted
  stillOpen: Counted
}

beforeAll(async () => {
  const script = fileURLToPath(new URL('../../support/ways-out/request-canaries.ts', import.meta.url))
  const child = spawn('unshare', ['--net', process.execPath, script], { stdio: ['ignore', 'pipe', 'inherit'] })
  let out = ''
  child.stdout.on('data', (data) => (out += String(data)))
  const [code] = await once(child, 'close')
  expect(code).toBe(0)
  counted = JSON.parse(out)
})

test.each(['direct', 'variables', 'redirects', 'proxied', 'proxies'] as const)(
  'L6: no request to a refused address is sent: %s',
  (vector) => {
    const { attempts, outcomes, canaries, proxied } = counted.vectors[vector]
    expect(attempts).toBeGreaterThan(500)
    expect({ outcomes, canaries, proxied }).toEqual({ outcomes: { refused: attempts }, canaries: 0, proxied: 0 })
  },
)

test.each(['tricks', 'locations'] as const)(
  'X4: an address that parsers read differently leads to no refused address: %s',
  (vector) => {
    // Hosts that some parsers read as the good host are reached; some are invalid, or redirect to themselves.
    const { attempts, outcomes, canaries, good } = counted.vectors[vector]
    expect(attempts).toBeGreaterThan(100)
    expect(outcomes['refused']).toBeGreaterThan(50)
    expect(good).toBeGreaterThan(20)
    expect(canaries).toBe(0)
  },
)

test('X2: names whose answers change, or have a refused address, lead only to the allowed address', () => {
  for (const { attempts, outcomes, canaries } of [counted.names.direct, counted.names.redirects]) {
    // Every second query for the name that changes.
    expect({ outcomes, canaries }).toEqual({
      outcomes: { succeeded: attempts / 6, refused: (attempts * 5) / 6 },
      canaries: 0,
    })
  }
})

test('X16: without the policy the firewall rules in docs/platform/egress.md keep requests from private networks', () => {
  // Some have a second address, which the policy refuses though all are allowed.
  expect(counted.unguarded.canaries).toBeGreaterThan(200)
  expect(counted.guarded).toMatchObject({ canaries: 0, good: 0 })
  expect(counted.guarded.outcomes['failed']).toBe(counted.unguarded.canaries)
  expect(counted.stillOpen).toMatchObject({ outcomes: { succeeded: 1 }, good: 1 })
})
