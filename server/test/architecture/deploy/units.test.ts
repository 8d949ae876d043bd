import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'

const UNITS = 'deploy/systemd/server'
const NAMES = ['sortie.service', 'sortie-worker.service']
const isInstalled = spawnSync('systemd-analyze', ['--version']).status === 0
const directory = mkdtempSync(path.join(os.tmpdir(), 'sortie-units-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

const read = (name: string) => readFileSync(path.join(UNITS, name), 'utf8')

test.runIf(isInstalled)(
  'systemd accepts the units of server and worker without a complaint, and rates their exposure below 3',
  () => {
    const files = NAMES.map((name) => path.join(directory, name))
    // The checkout is elsewhere here.
    for (const name of NAMES)
      writeFileSync(path.join(directory, name), read(name).replaceAll('/opt/sortie', path.resolve('.')))
    const verified = spawnSync('systemd-analyze', ['verify', ...files], { encoding: 'utf8' })
    expect([verified.status, verified.stderr]).toEqual([0, ''])
    for (const file of files) {
      const args = ['security', '--offline=true', '--threshold=30', file]
      const { status, stdout } = spawnSync('systemd-analyze', args, { encoding: 'utf8' })
      expect(status, stdout).toBe(0)
    }
  },
)

test('the units run what a release and a checkout have, with the memory of `npm start`, and stay down for a wrong setting', () => {
  const { serverOptions } = JSON.parse(readFileSync('package.json', 'utf8')).config
  for (const name of NAMES) {
    const unit = read(name)
    expect(unit).toContain(`Environment="NODE_OPTIONS=${serverOptions}"`)
    expect(unit).toMatch(/^ExecStart=\/opt\/sortie\/node_modules\/\.bin\/node server\/dist\/(?:main|operator)\.js/m)
    expect(unit).toMatch(/^RestartPreventExitStatus=78$/m)
    expect(unit).toMatch(/^User=sortie$/m)
  }
  // Both are hardened in the same way.
  const hardening = (name: string) => read(name).split('\nNoNewPrivileges=')[1]
  expect(hardening('sortie-worker.service')).toBe(hardening('sortie.service'))
})
