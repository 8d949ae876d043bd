import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createStage, eventually, freePort } from '../../support/app/server-process.ts'
import { databaseUrl } from '../../support/clients/server-clients.ts'
import { copyTemplate } from '../../support/database/test-databases.ts'
import { openCrowd } from '../../support/inputs/crowd.ts'

const stage = createStage()
afterAll(() => stage.close())

/** Passes CONNECT on, and resets connections to the service. The configuration in `deploy/` refuses CONNECT. */
const passingConnect = (port: number, service: number) => `
defaults
  mode http
  timeout connect 5s
  timeout client 60s
  timeout server 60s
  option abortonclose
  option nolinger
listen web
  bind 127.0.0.1:${port}
  server sortie 127.0.0.1:${service}
`

test('S26: 60 clients that reset their connection after CONNECT, through a HAProxy that passes it on, crash nothing', async () => {
  const server = await stage.server({ env: { DATABASE_URL: databaseUrl(await copyTemplate()) } })
  await server.ready()
  const port = await freePort()
  const file = path.join(stage.directory(), 'haproxy.cfg')
  writeFileSync(file, passingConnect(port, server.port))
  const haproxy = spawn('haproxy', ['-db', '-f', file], {
    env: { PATH: `${process.env.PATH}:/usr/sbin:/sbin` },
    stdio: 'ignore',
  })
  stage.add(() => void haproxy.kill())
  await eventually(async () => expect((await fetch(`http://127.0.0.1:${port}/api/health`)).status).toBe(200))
  for (let i = 0; i < 60; i++) {
    const { sockets } = await openCrowd(port, 1, {
      bytes: 'CONNECT a.example:443 HTTP/1.1\r\nHost: a.example:443\r\n\r\n',
    })
    sockets[0]?.resetAndDestroy()
  }
  expect(server.isRunning).toBe(true)
  expect(server.uncaught).toEqual([])
  expect((await fetch(`http://127.0.0.1:${port}/api/auth/mode`)).status).toBe(200)
})
