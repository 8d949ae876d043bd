import { expect } from 'vitest'
import { eventually, type ServerProcess } from '../app/server-process.ts'
import { listen } from '../clients/listeners.ts'
import { signInAsOwner, withNewKey } from '../clients/server-clients.ts'
import { listenOnCommonPort } from '../scans/common-ports.ts'
import { fixture, imported } from '../scans/imports.ts'
import { ended, engagementWith, started } from '../scans/scans.ts'

/** Setting of a server whose scans `smoke` runs. */
export const SCANS_LOOPBACK = { EGRESS_ALLOW: '127.0.0.0/8' }

/** A first use of a server on an empty database: what the largest parts of it need is there. */
export const smoke = async (server: ServerProcess): Promise<void> => {
  const owner = await signInAsOwner(server.origin)
  const key = await withNewKey(owner, ['organizations:read', 'organizations:write', 'targets:read', 'targets:write'])
  const { engagementId, ids } = await engagementWith(key, { allow: ['127.0.0.1'], targets: ['127.0.0.1'] })
  const { state, counts } = await imported(key, engagementId, fixture('nmap.xml'))
  expect([state, Object.values(counts.results).some((count) => count > 0)]).toEqual(['applied', true])

  const service = await listenOnCommonPort((port) => listen((socket) => socket.end('220 ready\r\n'), '127.0.0.1', port))
  try {
    const wanted = { engagementId, scanners: [{ id: 'nmap', options: { profile: 'quick' } }], targets: { ids } }
    const scan = await ended(key, (await started(key, wanted)).id, '/api/v1', 120_000)
    expect(scan).toMatchObject({ state: 'succeeded' })
    expect(service.accepted).toBeGreaterThan(0)
  } finally {
    await service.stop()
  }

  // The web interface, and the command line of testers with the address of this server.
  const page = await fetch(server.origin)
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<div id="root">')])
  const cli = await fetch(`${server.origin}/api/cli`)
  expect([cli.status, await cli.text()]).toEqual([200, expect.stringContaining('#!/usr/bin/env node')])
  await eventually(async () => expect(await server.health()).toBe(200))
}
