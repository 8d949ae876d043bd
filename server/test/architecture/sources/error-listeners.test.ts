import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { emittersIn } from '../../support/document/emitters.ts'

const FOLDERS = ['server/src/**/*.ts', 'embedded-postgres/src/**/*.ts', 'scripts/**/*.mjs']

/** Never opened: it only reads an address as the driver does. */
const EXCEPTIONS = [
  'server/src/platform/outbound/own-ports.ts: pg.Client is not kept: nothing can listen for its errors',
]

/** Threads and programs, and the deadline of each. */
const DEADLINES: Readonly<Record<string, string>> = {
  // `maxMs` of each task.
  'server/src/platform/concurrency/threads.ts': 'piscina.Piscina',
  // `BATCH_TIMEOUT_MS` of each call.
  'server/src/features/scanner-formats/registry/read-in-thread.ts': 'worker_threads.Worker',
  // `NmapLimits.ms`, for its whole group; the guard ends with the server, and nmap with the guard.
  'server/src/features/scans/scanners/nmap/nmap-process.ts': 'child_process.spawn',
  'server/src/features/scans/scanners/nmap/nmap-guard.ts': 'child_process.spawn',
  // `PdfLimits.ms`, also of the process itself; the thread in it watches those limits, and ends with it.
  'server/src/features/report-renders/typst/write-pdf.ts': 'child_process.spawn',
  'server/src/features/report-renders/typst/typst-process.ts': 'worker_threads.Worker',
  // Postgres itself: `START_TIMEOUT_MS`, `STOP_TIMEOUT_MS`.
  'embedded-postgres/src/postgres.ts': 'child_process.spawn',
}

const found = FOLDERS.flatMap((pattern) => globSync(pattern)).flatMap((file) =>
  emittersIn(file, readFileSync(file, 'utf8')).map((each) => ({ file, ...each })),
)

test('S26, S31, S32: every object that emits errors by itself has a listener for them in the function that creates it', () => {
  expect(found.length).toBeGreaterThanOrEqual(30)
  const problems = found
    .filter(({ problem }) => problem !== undefined)
    .map(({ file, what, problem }) => `${file}: ${what} ${problem}`)
  expect(problems).toEqual(EXCEPTIONS)
})

test('S31, S32: threads and programs are started in these places, and each has a deadline', () => {
  const started = found.filter(
    ({ file, what }) => /^(?:child_process|worker_threads|piscina|tinypool)\./.test(what) && file.includes('/src/'),
  )
  const promised = started.filter(({ what }) => what === 'child_process.execFile')
  expect(promised.length).toBeGreaterThan(0)
  expect(
    Object.fromEntries(started.filter((each) => !promised.includes(each)).map(({ file, what }) => [file, what])),
  ).toEqual(DEADLINES)
})

const NET = "import net, { connect, createServer } from 'node:net'\n"
const SPAWN = "import { spawn } from 'node:child_process'\n"
const EXEC = "import { execFile } from 'node:child_process'\nimport { promisify } from 'node:util'\n"
const FS = "import { createReadStream } from 'node:fs'\n"

test.each<[source: string, problem: string | undefined]>([
  [`${NET}connect(1).on('error', () => undefined)`, undefined],
  [
    `${NET}const open = () => { const socket = net.connect(1).setNoDelay(); socket.on('error', () => undefined); return socket }`,
    undefined,
  ],
  [`${NET}connect(1)`, 'is not kept'],
  [`${NET}export const open = () => connect(1)`, 'is not kept'],
  [`${NET}const socket = net.connect(1)`, 'nothing listens for errors of socket'],
  [`${NET}const socket = connect(1); socket.once('error', () => undefined)`, 'nothing listens for errors of socket'],
  [`${NET}const socket = connect(1); socket.on('close', () => undefined)`, 'nothing listens for errors of socket'],
  [
    `${NET}const socket = connect(1); await 0; socket.on('error', () => undefined)`,
    'nothing listens for errors of socket',
  ],
  [
    `${NET}const open = async () => { const socket = connect(1); for await (const x of y) x(); socket.on('error', () => undefined) }`,
    'nothing listens',
  ],
  [
    `${NET}const socket = connect(1); setTimeout(() => socket.on('error', () => undefined))`,
    'nothing listens for errors of socket',
  ],
  [
    `${NET}const socket = connect(1); const listen = (other) => other.on('error', () => undefined)`,
    'nothing listens for errors of socket',
  ],
  [`${NET}const open = connect; open(1)`, 'is handed on'],
  [`${NET}const tools = { connect }`, 'is handed on'],
  [`${NET}const open = net.connect`, 'is handed on'],
  [`${NET}const server = createServer(); server.on('error', () => undefined)`, undefined],
  [
    `${NET}const server = createServer((socket) => socket.end()); server.on('error', () => undefined)`,
    'nothing listens for errors of socket in its handler',
  ],
  [`${NET}createServer((socket) => other.emit('connection', socket)).on('error', () => undefined)`, undefined],
  [`server.on('connect', (request, socket) => answer(socket))`, 'nothing listens for errors of socket in its handler'],
  [`server.on('upgrade', (request, socket) => socket.on('error', () => undefined))`, undefined],
  [
    `const answer = (request, socket) => socket.end(); server.on('upgrade', answer)`,
    'nothing listens for errors of socket in its handler',
  ],
  [`server.on('connect', answer)`, 'its handler is not written in place'],
  [
    `${SPAWN}const child = spawn('true'); const ended = new Promise((resolve) => { child.on('error', resolve) })`,
    undefined,
  ],
  [`${SPAWN}const start = () => { try { return spawn('true') } catch (error) { throw error } }`, 'is not kept'],
  [`${EXEC}await promisify(execFile)('true', [], { timeout: 1 })`, undefined],
  [`${EXEC}await promisify(execFile)('true')`, 'has no deadline'],
  [
    `import { Worker } from 'node:worker_threads'\nconst thread = new Worker(file)`,
    'nothing listens for errors of thread',
  ],
  [`import { Piscina as Pool } from 'piscina'\nconst threads = new Pool({})`, 'nothing listens for errors of threads'],
  [`import Piscina from 'piscina'\nnew Piscina({})`, 'is not kept'],
  [
    `import pg from 'pg'\nclass A { constructor() { this.client = new pg.Client() } }`,
    'nothing listens for errors of this.client',
  ],
  [
    `import pg from 'pg'\nclass A { constructor() { this.#pool = new pg.Pool(); this.#pool.on('error', () => undefined) } }`,
    undefined,
  ],
  [`import * as postgres from 'pg'\nconst pool = new postgres.Pool()`, 'nothing listens for errors of pool'],
  [
    `import { SocksClient } from 'socks'\nconst { socket } = await SocksClient.createConnection({})`,
    'nothing listens for errors of socket',
  ],
  [
    `import { SocksClient } from 'socks'\nconst { socket } = await SocksClient.createConnection({}); socket.on('error', () => undefined)`,
    undefined,
  ],
  [`${FS}const source = createReadStream('a'); await receive(source)`, 'nothing listens for errors of source'],
  [`${FS}for await (const chunk of createReadStream('a')) use(chunk)`, undefined],
  [`${FS}await pipeline(createReadStream('a'), target)`, undefined],
  [`handle.createReadStream()`, 'is not kept'],
  [`reply.send(handle.createReadStream())`, undefined],
  [`async function* read() { yield* handle.createReadStream() as AsyncIterable<Buffer> }`, undefined],
  [`source.pipe(target)`, 'errors of its source reach no one'],
  [`source.on('error', () => undefined); source.pipe(target)`, undefined],
  [`const { Worker } = await import('node:worker_threads')`, 'is imported late'],
  [`import type { Socket } from 'node:net'\nlet socket: Socket`, undefined],
])('the check of a source with %j reports: %s', (source, problem) => {
  const problems = emittersIn('source.ts', source).flatMap((each) => each.problem ?? [])
  expect(problems).toHaveLength(problem === undefined ? 0 : 1)
  if (problem !== undefined) expect(problems[0]).toContain(problem)
})
