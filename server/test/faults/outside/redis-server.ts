import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { Redis } from 'ioredis'
import { eventually, freePort, type ServerProcess, type Stage } from '../../support/app/server-process.ts'
import type { TestClient } from '../../support/app/test-client.ts'
import { metricsText } from '../../support/document/metrics.ts'

/** A redis-server for one test, without persistence. */
export class RedisServer {
  readonly port: number
  #child: ReturnType<typeof spawn> | undefined

  private constructor(port: number) {
    this.port = port
  }

  static async start(stage: Stage): Promise<RedisServer> {
    const server = new RedisServer(await freePort())
    stage.add(() => server.kill())
    await server.start()
    return server
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`
  }

  async start(): Promise<void> {
    const directory = mkdtempSync(path.join(os.tmpdir(), 'sortie-redis-'))
    const child = spawn(
      'redis-server',
      ['--port', String(this.port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', directory],
      {
        stdio: 'ignore',
      },
    )
    this.#child = child
    child.once('close', () => rmSync(directory, { recursive: true, force: true }))
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve)
      child.once('error', () =>
        reject(
          new Error(
            'this test needs redis-server on the path: apt-get install redis-server (Debian), brew install redis (macOS)',
          ),
        ),
      )
    })
    await eventually(() => this.command('ping'))
  }

  /** Runs one command. */
  async command(name: string, ...args: string[]): Promise<unknown> {
    const redis = new Redis(this.port, '127.0.0.1', {
      lazyConnect: true,
      retryStrategy: () => null,
      maxRetriesPerRequest: 0,
    })
    redis.on('error', () => undefined)
    try {
      await redis.connect()
      return await redis.call(name, ...args)
    } finally {
      redis.disconnect()
    }
  }

  async kill(): Promise<void> {
    const child = this.#child
    this.#child = undefined
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const closed = new Promise((resolve) => child.once('close', resolve))
    child.kill('SIGKILL')
    await closed
  }
}

/** Settings of a server whose windows do not end during a test. */
export const limitOf = (requests: number) => ({
  RATE_LIMIT_MAX: String(requests),
  RATE_LIMIT_ANONYMOUS_MAX: '1000000',
  RATE_LIMIT_WINDOW_SECONDS: '600',
})

/**
 * The gauge that operators watch: 1 while limits are counted per process. Reading it makes the limiter query Redis,
 * too.
 */
export const degradedLimiter = async (server: ServerProcess): Promise<number> => {
  await server.health()
  const text = await metricsText(server.origin)
  return Number(/^sortie_rate_limiter_degraded (\d)$/m.exec(text)?.[1])
}

/** Statuses and milliseconds of `count` reads, one after another. */
export const timedRequests = async (client: TestClient, path: string, count: number) => {
  const answers: { status: number; ms: number }[] = []
  for (let i = 0; i < count; i++) {
    const started = performance.now()
    const { status } = await client.get(path)
    answers.push({ status, ms: performance.now() - started })
  }
  return answers
}
