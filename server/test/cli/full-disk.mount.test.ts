import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createStage, eventually, type Stage } from '../support/app/server-process.ts'
import { type TestApp, testApp } from '../support/app/test-app.ts'
import { createTester, type Tester } from '../support/cli/cli-engagement.ts'
import { mountSmallDisk } from '../support/database/small-disk.ts'

let app: TestApp
let stage: Stage
let tester: Tester

beforeAll(async () => {
  app = await testApp()
  stage = createStage()
  tester = await createTester(app, { '10.0.0.0/24': 'allow' })
})
afterAll(async () => {
  tester.cli.remove()
  await stage.close()
  await app.close()
})

const inHome = (name: string) => path.join(tester.cli.home, name)

test('on a full disk nothing runs; one that fills up while the program runs loses neither its end nor its exit code', async () => {
  const disk = mountSmallDisk(stage, 2)
  const env = {
    ...tester.program('probe', 'echo $1 >> "$HOME/started"; while [ ! -e "$HOME/go" ]; do sleep 0.05; done; exit 9'),
    XDG_STATE_HOME: disk.directory,
  }
  disk.fill()
  const refused = await tester.cli.run(['run', '--target', '10.0.0.5', '--', 'probe', 'first'], { env })
  expect(refused).toMatchObject({ code: 1, stdout: '' })
  expect(refused.stderr).toContain('cannot be recorded on this machine, so nothing was run')
  expect(existsSync(inHome('started'))).toBe(false)

  disk.empty()
  const started = tester.cli.start(['run', '--later', '--target', '10.0.0.5', '--', 'probe', 'second'], { env })
  await eventually(() => expect(readFileSync(inHome('started'), 'utf8')).toBe('second\n'))
  disk.fill()
  writeFileSync(inHome('go'), '')
  expect(await started.ended).toMatchObject({ code: 9, stderr: expect.not.stringContaining('cannot be written') })
  // Still full: sending needs no space.
  expect(await tester.cli.run(['sync'], { env })).toMatchObject({ code: 0, stdout: 'Recorded: probe second\n' })
  expect(await tester.operations()).toEqual([
    expect.objectContaining({ command: 'probe second', exitCode: 9, endedAt: expect.stringMatching(/Z$/) }),
  ])
})
