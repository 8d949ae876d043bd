import net from 'node:net'
import { afterAll, expect } from 'vitest'
import { nightly } from '../../support/app/nightly.ts'
import { createStage, eventually } from '../../support/app/server-process.ts'
import { databaseUrl } from '../../support/clients/server-clients.ts'
import { copyTemplate } from '../../support/database/test-databases.ts'

const stage = createStage()
afterAll(() => stage.close())

/** Twice Node's default backlog: beyond it the system drops connections, whose clients retry after a second. */
const CLIENTS = 1_000
const ASK = 'GET /api/health/live HTTP/1.1\r\nhost: localhost\r\n\r\n'

nightly(
  'F7: a thousand clients that reconnect simultaneously while a server is blocked are accepted, and then answered',
  async () => {
    const server = await stage.server({ env: { DATABASE_URL: databaseUrl(await copyTemplate()) } })
    await server.ready()
    let connected = 0
    let answered = 0
    server.signal('SIGSTOP')
    const sockets = Array.from({ length: CLIENTS }, (_, i) => {
      const socket = net.connect({ port: server.port, host: '127.0.0.1', localAddress: `127.0.0.${1 + (i % 4)}` })
      socket.once('connect', () => connected++)
      socket.once('data', (answer) => (answered += Number(answer.toString('latin1').startsWith('HTTP/1.1 200 '))))
      socket.on('error', () => undefined)
      socket.write(ASK)
      return socket
    })
    try {
      await eventually(() => expect(connected).toBe(CLIENTS)).finally(() => server.signal('SIGCONT'))
      await eventually(() => expect(answered).toBe(CLIENTS), 20_000)
    } finally {
      for (const socket of sockets) socket.destroy()
    }
  },
)
