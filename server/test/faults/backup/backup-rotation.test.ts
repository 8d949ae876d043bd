import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { seal } from '@sortie/embedded-postgres/backup/sealed.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sortie } from '../../support/app/operator.ts'
import { createStage, type ServerProcess } from '../../support/app/server-process.ts'
import { metricsText } from '../../support/document/metrics.ts'

const stage = createStage()
let server: ServerProcess
let directory = ''

beforeAll(async () => {
  server = await stage.server()
  await server.ready()
  directory = stage.directory()
})
afterAll(() => stage.close())

const NAME = /^sortie-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ$/
const backup = (...args: string[]) => sortie(['backup', ...args], server.dataDir)

/** Copies the backup as if it had been made at another time, or of another database. */
const copyAs = (from: string, name: string, fields: object = {}) => {
  const target = path.join(directory, name)
  cpSync(path.join(directory, from), target, { recursive: true })
  const file = path.join(target, 'manifest.json')
  const { checksum: _, ...manifest } = JSON.parse(readFileSync(file, 'utf8'))
  writeFileSync(file, seal({ ...manifest, name, ...fields }))
}

test.each([[['--portable']], [[]]])(
  'O1: backup --keep %j keeps the newest and deletes older ones that it made, and nothing else in the directory',
  async (form) => {
    for (const name of readdirSync(directory)) rmSync(path.join(directory, name), { recursive: true })
    expect(await backup(directory, '--keep', '3', ...form)).toMatchObject({ code: 0, err: '' })
    const [first] = readdirSync(directory) as [string]
    expect(first).toMatch(NAME)
    const old = ['sortie-2020-01-01T00-00-00Z', 'sortie-2020-01-02T00-00-00Z', 'sortie-2020-01-03T00-00-00Z']
    for (const name of old) copyAs(first, name)
    // One was moved, one is of another instance, one is damaged, one interrupted, and one is not a backup.
    copyAs(first, 'sortie-2019-01-01T00-00-00Z', { name: 'monthly' })
    copyAs(first, 'sortie-2019-01-02T00-00-00Z', { series: 'another database' })
    copyAs(first, 'sortie-2019-01-03T00-00-00Z')
    rmSync(path.join(directory, 'sortie-2019-01-03T00-00-00Z/manifest.json'))
    copyAs(first, 'sortie-2019-01-04T00-00-00Z')
    writeFileSync(path.join(directory, 'sortie-2019-01-04T00-00-00Z/manifest.json'), '{}')
    copyAs(first, 'before-the-upgrade')
    mkdirSync(path.join(directory, 'sortie-2019-01-05T00-00-00Z'))
    const others = readdirSync(directory).filter((name) => name !== first && !old.includes(name))
    // A killed deletion is finished; its name states what it was.
    copyAs(first, 'sortie-2018-01-01T00-00-00Z')
    renameSync(
      path.join(directory, 'sortie-2018-01-01T00-00-00Z'),
      path.join(directory, 'sortie-2018-01-01T00-00-00Z.removed'),
    )

    const { code, out, err } = await backup(directory, '--keep', '3', ...form)
    expect([code, err]).toEqual([0, ''])
    const second = readdirSync(directory).find((name) => NAME.test(name) && name > first) as string
    expect(out.match(/^Deleted: .*$/gm)).toEqual(
      old.slice(0, 2).map((name) => `Deleted: ${path.join(directory, name)}`),
    )
    expect(readdirSync(directory).toSorted()).toEqual([...others, old[2], first, second].toSorted())
    expect(await sortie(['verify', path.join(directory, second)], server.dataDir)).toMatchObject({ code: 0 })
  },
)

test('O1: a backup that fails deletes none, and --keep accepts only a number of backups', async () => {
  const before = readdirSync(directory)
  const failed = await sortie(['backup', directory, '--keep', '1'], server.dataDir, {
    DATABASE_URL: 'postgres://127.0.0.1:1/sortie',
  })
  expect(failed.code).toBe(78)
  expect(readdirSync(directory)).toEqual(before)
  for (const keep of ['0', '-1', 'all', '1.5', ''])
    expect(await backup(directory, `--keep=${keep}`)).toMatchObject({ code: 64 })
  expect(await backup(path.join(directory, 'missing'), '--keep', '1')).toMatchObject({
    code: 78,
    err: expect.stringMatching(/is not there: make it first/),
  })
  expect(readdirSync(directory)).toEqual(before)
})

test('O1: the server reports the age and the size of the last backup', async () => {
  const figures = async () => {
    const text = await metricsText(server.origin)
    return ['age_seconds', 'bytes'].map((name) =>
      Number(new RegExp(`^sortie_backup_${name} (\\S+)$`, 'm').exec(text)?.[1]),
    )
  }
  expect(await backup(path.join(stage.directory(), 'new'), '--portable')).toMatchObject({ code: 0 })
  const [age, bytes] = (await figures()) as [number, number]
  expect(age).toBeLessThan(60)
  expect(bytes).toBeGreaterThan(1_000)
})
