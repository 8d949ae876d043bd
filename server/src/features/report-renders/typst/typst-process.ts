// The process that compiles one document: reads it from standard input, writes the outcome to standard output. Nothing that
// a template does can keep it: a thread ends the process at its limits, and when the server that started it is gone.
import { deserialize, serialize } from 'node:v8'
import { Worker } from 'node:worker_threads'
import { compile } from './compile.ts'

const [, , memoryBytes, ms] = process.argv

/** Codes of `process.exit`; the parent knows them. */
const WATCH = `
const { parentPid, memoryBytes, ms } = require('node:worker_threads').workerData
const end = (code) => { require('node:fs').writeSync(2, code); process.kill(process.pid, 'SIGKILL') }
const started = performance.now()
setInterval(() => {
  if (process.memoryUsage.rss() > memoryBytes) end('memory')
  if (performance.now() - started > ms) end('time')
  if (process.ppid !== parentPid) end('parent')
}, 20)`

const watch = new Worker(WATCH, {
  eval: true,
  workerData: { parentPid: process.ppid, memoryBytes: Number(memoryBytes), ms: Number(ms) },
})
// Without its limits nothing is compiled.
watch.on('error', (error) => {
  throw error
})
watch.unref()

const chunks: Buffer[] = []
for await (const chunk of process.stdin) chunks.push(chunk)
const output = compile(deserialize(Buffer.concat(chunks)))
process.stdout.write(serialize(output))
