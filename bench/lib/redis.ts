import { spawn, spawnSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort, pinned, SENDER_CORE, stopProcess } from './processes.ts'

/** A Redis of the run's own that keeps nothing; undefined where none is installed. */
export const startRedis = async () => {
  if (spawnSync('redis-server', ['--version'], { stdio: 'ignore' }).status !== 0) return undefined
  const port = await freePort()
  const child = spawn('redis-server', ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'], { stdio: 'ignore' })
  pinned(child, SENDER_CORE)
  await sleep(500)
  return { url: `redis://127.0.0.1:${port}`, stop: () => stopProcess(child) }
}
