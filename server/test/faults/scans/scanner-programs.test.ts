import { afterAll, expect, test } from 'vitest'
import { nmap } from '../../../src/features/scans/scanners/nmap/nmap.ts'
import { createStage, eventually, isAlive } from '../../support/app/server-process.ts'
import { listen } from '../../support/clients/listeners.ts'
import { databaseUrl, signInAsOwner, withNewKey } from '../../support/clients/server-clients.ts'
import { copyTemplate } from '../../support/database/test-databases.ts'
import { listenOnCommonPort } from '../../support/scans/common-ports.ts'
import { engagementWith, started } from '../../support/scans/scans.ts'
import { descendantsOf } from '../../support/walks/descendants.ts'

const stage = createStage()
afterAll(() => stage.close())

const isInstalled = (await nmap.unavailable()) === null
// Continuous integration installs it.
const withNmap = test.skipIf(!isInstalled && !process.env['CI'])

withNmap('a killed server leaves no scanner running: nmap ends within five seconds', async () => {
  // It ignores nmap's service probes, which takes nmap half a minute.
  const silent = await listenOnCommonPort((port) => listen(undefined, '127.0.0.1', port))
  stage.add(() => silent.stop())
  const env = { DATABASE_URL: databaseUrl(await copyTemplate()), EGRESS_ALLOW: '127.0.0.0/8' }
  const server = await stage.server({ env })
  await server.ready()
  const key = await withNewKey(await signInAsOwner(server.origin), [
    'targets:read',
    'targets:write',
    'organizations:read',
    'organizations:write',
  ])
  const { engagementId, ids } = await engagementWith(key, { allow: ['127.0.0.1'], targets: ['127.0.0.1'] })
  await started(key, { engagementId, scanners: [{ id: 'nmap', options: { profile: 'version' } }], targets: { ids } })
  const programs = await eventually(() => {
    const found = descendantsOf(server.child.pid as number)
    expect(found.some(({ command }) => /^nmap -n .*127\.0\.0\.1$/.test(command))).toBe(true)
    expect(silent.open.size).toBeGreaterThan(0)
    return found
  })
  await server.kill()
  await eventually(() => expect(programs.filter(({ pid }) => isAlive(pid))).toEqual([]), 5_000)
})
