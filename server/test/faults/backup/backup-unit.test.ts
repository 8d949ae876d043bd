import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { sortie } from '../../support/app/operator.ts'
import { createStage } from '../../support/app/server-process.ts'

const stage = createStage()
afterAll(() => stage.close())

const UNITS = path.resolve(import.meta.dirname, '../../../../deploy/systemd/backup')
const ROOT = path.resolve(import.meta.dirname, '../../../..')
const isInstalled = spawnSync('systemd-analyze', ['--version']).status === 0

test.runIf(isInstalled)(
  'O1: systemd accepts the units of the nightly backup without a complaint, and reports the service as hardened',
  () => {
    const directory = stage.directory()
    for (const name of readdirSync(UNITS)) copyFileSync(path.join(UNITS, name), path.join(directory, name))
    const service = path.join(directory, 'sortie-backup.service')
    // The checkout is elsewhere here.
    writeFileSync(service, readFileSync(service, 'utf8').replaceAll('/opt/sortie', ROOT))
    const verified = spawnSync('systemd-analyze', ['verify', path.join(directory, 'sortie-backup.timer'), service], {
      encoding: 'utf8',
    })
    expect([verified.status, verified.stderr]).toEqual([0, ''])
    const security = spawnSync('systemd-analyze', ['security', '--offline=true', '--threshold=30', service], {
      encoding: 'utf8',
    })
    expect(security.status, security.stdout).toBe(0)
  },
)

test('O1: the command of the nightly backup makes a backup in its directory', async () => {
  const server = await stage.server()
  await server.ready()
  const backups = path.join(stage.directory(), 'sortie')
  mkdirSync(backups)
  const line = /^ExecStart=(.*)$/m.exec(readFileSync(path.join(UNITS, 'sortie-backup.service'), 'utf8'))?.[1] as string
  const [node, script, ...args] = line.split(' ')
  expect([node, script]).toEqual(['/opt/sortie/node_modules/.bin/node', 'server/dist/operator.js'])
  const { code, err } = await sortie(
    args.map((arg) => (arg === '/var/backups/sortie' ? backups : arg)),
    server.dataDir,
  )
  expect([code, err]).toEqual([0, ''])
  const [made] = readdirSync(backups) as [string]
  expect(await sortie(['verify', path.join(backups, made)], server.dataDir)).toMatchObject({ code: 0 })
})
