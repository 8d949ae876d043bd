import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterEach, expect, test } from 'vitest'
import { ADMIN_PASSWORD, createStage } from '../../support/app/server-process.ts'
import { databaseUrl } from '../../support/clients/server-clients.ts'
import { copyTemplate } from '../../support/database/test-databases.ts'

const stage = createStage()
afterEach(() => stage.close())

test('the first request of README.md works unchanged, with the password in .env', async () => {
  const server = await stage.server({ env: { DATABASE_URL: databaseUrl(await copyTemplate()) } })
  await server.ready()
  const checkout = stage.directory()
  writeFileSync(
    path.join(checkout, '.env'),
    `SESSION_SECRET=x\nADMIN_PASSWORD=${ADMIN_PASSWORD}\nSTORAGE_PATH=./data/uploads\n`,
  )
  const [, commands = ''] = /^## A first request$.*?^```sh\n(.*?)^```$/ms.exec(readFileSync('README.md', 'utf8')) ?? []
  expect(commands).toContain('http://localhost:3001')
  const { stdout } = await promisify(execFile)(
    'sh',
    ['-ec', commands.replaceAll('http://localhost:3001', server.origin)],
    { cwd: checkout },
  )
  // Signing in prints an answer, too.
  expect(JSON.parse(stdout.slice(stdout.lastIndexOf('{"data":')))).toMatchObject({
    data: { name: 'My organization', memberCount: 1 },
  })
})
