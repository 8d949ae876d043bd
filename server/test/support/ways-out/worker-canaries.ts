// Runs in a separate network namespace (`unshare --net`), where every address leads to this program. Starts a worker
// there that sends requests, with a policy that allows everything. Reads commands by line: `guard` sets the rules of
// docs/platform/egress.md for such a worker, `count` prints what the canaries saw, as JSON.
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createInterface } from 'node:readline'

/** Public. */
const GOOD = '8.8.8.8'

const run = (command: string, environment: Record<string, string> = {}) => {
  const { status, stderr } = spawnSync('sh', ['-ec', command], {
    encoding: 'utf8',
    env: { ...process.env, ...environment },
  })
  assert.equal(status, 0, `${command}: ${stderr}`)
}
run('ip link set lo up; ip route add local 0.0.0.0/0 dev lo; ip -6 route add local ::/0 dev lo')

const seen = { canaries: 0, good: 0 }
const server = createServer((_request, response) => response.writeHead(204, { connection: 'close' }).end())
server.on('connection', ({ localAddress }) => seen[localAddress === `::ffff:${GOOD}` ? 'good' : 'canaries']++)
server.listen(80, '::')
await once(server, 'listening')

const worker = spawn(process.execPath, ['server/dist/operator.js', 'worker', '--only', 'requests'], {
  stdio: ['ignore', 'ignore', 'inherit'],
})
const [recipe] = /(?<=```sh\n)for family in -4 -6[^`]+/.exec(readFileSync('docs/platform/egress.md', 'utf8')) ?? []
assert(recipe)

for await (const line of createInterface({ input: process.stdin })) {
  if (line === 'guard') run(recipe, { SORTIE_UID: '0' })
  process.stdout.write(`${JSON.stringify(seen)}\n`)
  Object.assign(seen, { canaries: 0, good: 0 })
}
const ended = once(worker, 'close')
worker.kill('SIGKILL')
await ended
server.close()
