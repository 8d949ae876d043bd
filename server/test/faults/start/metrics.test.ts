import type { ChildProcess } from 'node:child_process'
import { afterEach, expect, test } from 'vitest'
import { startSortie } from '../../support/app/operator.ts'
import { createStage, freePort } from '../../support/app/server-process.ts'
import { databaseUrl } from '../../support/clients/server-clients.ts'
import { copyTemplate } from '../../support/database/test-databases.ts'

const stage = createStage()
afterEach(() => stage.close())

const metricsOn = async (port: number | string) => {
  const response = await fetch(`http://127.0.0.1:${port}/metrics`, { headers: { connection: 'close' } })
  return { status: response.status, text: await response.text() }
}
const isOpen = (port: number) =>
  metricsOn(port).then(
    () => true,
    () => false,
  )
/** From then on a worker does jobs. */
const announced = ({ stderr }: ChildProcess) =>
  new Promise<void>((resolve) =>
    stderr?.on('data', (data) => void (String(data).includes('Sortie runs jobs') && resolve())),
  )

test(
  'S28: METRICS_PORT serves the metrics of a server and of a worker, PORT does not; both stop with the process',
  { timeout: 240_000 },
  async () => {
    const DATABASE_URL = databaseUrl(await copyTemplate())
    for (const SORTIE_ROLE of ['all', 'worker']) {
      const port = await freePort()
      const server = await stage.server({
        env: { DATABASE_URL, SORTIE_ROLE, METRICS_PORT: String(port), METRICS_TOKEN: undefined },
      })
      await server.ready()
      const { status, text } = await metricsOn(port)
      expect([SORTIE_ROLE, status]).toEqual([SORTIE_ROLE, 200])
      expect(text).toContain('sortie_database_connections')
      expect([SORTIE_ROLE, (await metricsOn(server.port)).status]).toEqual([SORTIE_ROLE, 404])
      expect((await server.stop()).code).toBe(0)
      expect(await isOpen(port)).toBe(false)
    }
  },
)

test(
  'S28: the METRICS_PORT of another server is one line and exit code 78; a worker next to the server uses its own port',
  {
    timeout: 240_000,
  },
  async () => {
    const DATABASE_URL = databaseUrl(await copyTemplate())
    const METRICS_PORT = String(await freePort())
    const server = await stage.server({ env: { DATABASE_URL, METRICS_PORT } })
    await server.ready()
    const second = await stage.server({ env: { DATABASE_URL, METRICS_PORT } })
    expect((await second.exited).code).toBe(78)
    expect(second.errorLines).toEqual([
      `sortie: METRICS_PORT: ${METRICS_PORT} on 127.0.0.1 is in use by another program`,
    ])
    expect(await server.health()).toBe(200)

    const own = await freePort()
    for (const options of [[], ['--metrics-port', String(own)]]) {
      const { child, finished } = startSortie(['worker', ...options], stage.directory(), { DATABASE_URL, METRICS_PORT })
      stage.add(() => child.kill('SIGKILL'))
      await Promise.race([finished, announced(child)])
      if (options.length > 0) expect((await metricsOn(own)).text).toContain('process_cpu_seconds_total')
      child.kill('SIGTERM')
      expect(await finished).toMatchObject({ code: 0, err: expect.stringContaining('Sortie runs jobs') })
    }
    expect(await isOpen(own)).toBe(false)
    for (const port of ['x', '0', '65536'])
      expect((await startSortie(['worker', '--metrics-port', port], stage.directory()).finished).code).toBe(64)
  },
)
