import { execFileSync } from 'node:child_process'
import type { Socket } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { nmap } from '../../src/features/scans/scanners/nmap.ts'
import { listen } from '../support/listeners.ts'
import { engagementWith, started } from '../support/scans.ts'
import { databaseUrl, signInAsOwner, withNewKey } from '../support/server-clients.ts'
import { createStage, eventually, isAlive } from '../support/server-process.ts'
import { copyTemplate } from '../support/test-app.ts'

const stage = createStage()
afterAll(() => stage.close())

const isInstalled = (await nmap.unavailable()) === null
// Continuous integration installs it.
const withNmap = test.skipIf(!isInstalled && !process.env['CI'])

/** One of the thousand most common ports each, that nothing else listens on. */
const COMMON_PORTS = [8888, 49_152, 49_153, 9999, 32_768, 2121]

/** Says nothing to whoever asks it what it is, which takes nmap half a minute. */
const silentListener = async () => {
  for (const port of COMMON_PORTS) {
    try {
      return await listen((socket: Socket) => socket.on('error', () => undefined), '127.0.0.1', port)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    }
  }
  throw new Error('every one of these ports is in use')
}

/** What a process has started, and what that has started. */
const descendantsOf = (pid: number): { pid: number; command: string }[] => {
  const all = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' })
    .split('\n')
    .flatMap((line) => {
      const [, own, parent, command] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? []
      return command === undefined ? [] : [{ pid: Number(own), parent: Number(parent), command }]
    })
  const below = (parent: number): typeof all => all.filter((each) => each.parent === parent).flatMap((each) => [each, ...below(each.pid)])
  return below(pid)
}

withNmap(
  'a server that is killed leaves no scanner running: nmap is gone within five seconds',
  async () => {
    const silent = await silentListener()
    stage.add(() => silent.stop())
    const env = { DATABASE_URL: databaseUrl(await copyTemplate()), EGRESS_ALLOW: '127.0.0.0/8' }
    const server = await stage.server({ env })
    await server.ready()
    const key = await withNewKey(await signInAsOwner(server.origin), ['targets:read', 'targets:write', 'organizations:read', 'organizations:write'])
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
  },
  120_000,
)
