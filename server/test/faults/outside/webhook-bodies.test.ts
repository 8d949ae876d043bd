import { readFileSync } from 'node:fs'
import net, { type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { createStage, type ServerProcess } from '../../support/app/server-process.ts'
import { databaseUrl, signInAsOwner, withNewKey } from '../../support/clients/server-clients.ts'
import { copyTemplate } from '../../support/database/test-databases.ts'
import { rawRequest } from '../../support/network/raw-http.ts'

const stage = createStage()
afterAll(() => stage.close())

const BODY = 262_144
const CONNECTIONS = 2_000
/** Simulates eight clients. */
const ADDRESSES = 8
const MIB = 1024 * 1024
/** 32 for bodies without a signature, about 50 for two thousand connections, and uncollected garbage. */
const MAX_GROWTH = 200 * MIB

const residentBytes = ({ child }: ServerProcess): number =>
  1024 * Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1])

/** Sends the start of a notification that is never complete; resolves once all of it is sent. */
const begin = (
  port: number,
  localAddress: string,
  head: string,
  pieces: readonly Buffer[],
): { socket: Socket; sent: Promise<void> } => {
  const socket = net.connect({ port, host: '127.0.0.1', localAddress })
  const sent = new Promise<void>((resolve) => {
    // A refused one is closed before it has sent all.
    socket.on('error', () => resolve()).on('close', () => resolve())
    socket.write(head)
    for (const piece of pieces.slice(0, -1)) socket.write(piece)
    socket.write(pieces.at(-1) as Buffer, () => resolve())
  })
  socket.resume()
  return { socket, sent }
}

const SIGNATURE = `X-Hub-Signature-256: sha256=${'0'.repeat(64)}`
const PATH = 'POST /api/code-hosting/webhook HTTP/1.1'
const WHOLE = [Buffer.alloc(BODY - 1, 'x')]
const ONE_BYTE = Buffer.from('1\r\nx\r\n')
/** A tenth of the bytes, each in its own chunk. */
const CHUNKS = [Buffer.concat(Array.from({ length: 25_000 }, () => ONE_BYTE))]

test.runIf(process.platform === 'linux').each([
  ['that miss their last byte', CONNECTIONS, rawRequest(PATH, [SIGNATURE, `Content-Length: ${BODY}`]), WHOLE],
  ['in chunks of one byte', 100, rawRequest(PATH, [SIGNATURE, 'Transfer-Encoding: chunked']), CHUNKS],
])(
  'S34: notifications %s use a limited part of the memory, whatever their number; others are served',
  async (_, count, head, pieces) => {
    const server = await stage.server({
      env: {
        DATABASE_URL: databaseUrl(await copyTemplate()),
        CODE_HOSTING_WEBHOOK_SECRET: 'the secret of the repositories',
      },
    })
    await server.ready()
    const owner = await signInAsOwner(server.origin)
    const key = await withNewKey(owner)
    const before = residentBytes(server)
    let largest = before
    const over = new AbortController()
    const watching = (async () => {
      while (!over.signal.aborted) {
        largest = Math.max(largest, residentBytes(server))
        await sleep(20, undefined, { signal: over.signal }).catch(() => undefined)
      }
    })()
    const connections = Array.from({ length: count }, (_each, i) =>
      begin(server.port, `127.0.0.${11 + (i % ADDRESSES)}`, head, pieces),
    )
    try {
      const answers = []
      const sending = Promise.all(connections.map(({ sent }) => sent))
      let isSent = false
      void sending.then(() => (isSent = true))
      do {
        answers.push((await key.get('/api/v1/organizations/current')).status)
        answers.push(
          (await key.post('/api/v1/engagements', { name: 'Meanwhile', description: 'x'.repeat(9_000) })).status,
        )
      } while (!isSent)
      await signInAsOwner(server.origin)
      expect(new Set(answers)).toEqual(new Set([200, 201]))
    } finally {
      over.abort()
      await watching
      for (const { socket } of connections) socket.destroy()
    }
    expect(largest - before).toBeLessThan(MAX_GROWTH)
    expect((await server.stop()).code).toBe(0)
  },
)
