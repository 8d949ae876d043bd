import { expect } from 'vitest'
import { eventually, freePort, type Stage } from '../../support/app/server-process.ts'
import { listen } from '../../support/clients/listeners.ts'
import { databaseUrl, signInAsOwner, withNewKey } from '../../support/clients/server-clients.ts'
import { asSuperuserRows, copyTemplate } from '../../support/database/test-databases.ts'
import { engagementWith, getScan, portScan, started } from '../../support/scans/scans.ts'

/** A dead worker is detected within this time. */
const NOTICED_WITHIN_MS = 60_000

/**
 * Repeatedly kills the worker of a scan during it: each scan is ended within a minute, its results stay, its probes are
 * in the log, and nothing is sent again.
 */
export const expectScansToSurviveKills = async (stage: Stage, kills: number): Promise<void> => {
  const settings = await copyTemplate()
  const env = { DATABASE_URL: databaseUrl(settings), EGRESS_ALLOW: '127.0.0.0/8', SCAN_CONCURRENCY: String(kills + 1) }
  const api = await stage.server({ env: { ...env, SORTIE_ROLE: 'api' } })
  await api.ready()
  const key = await withNewKey(await signInAsOwner(api.origin), [
    'targets:read',
    'targets:write',
    'organizations:read',
    'organizations:write',
  ])
  const port = await freePort()
  const listener = await listen(undefined, '127.0.0.1', port)
  stage.add(() => listener.stop())
  const { engagementId, ids } = await engagementWith(key, { allow: ['127.0.0.1'], targets: ['127.0.0.1'] })
  const wanted = { engagementId, scanners: [portScan(`${port},33000-38000`, { rate: 50 })], targets: { ids } }
  const probesOf = (id: string) =>
    asSuperuserRows<{ address: string }>(
      settings,
      `select host(address) as address from scan_probes where scan_id = '${id}'`,
    )
  const killed: string[] = []
  for (let kill = 0; kill < kills; kill++) {
    const worker = await stage.server({ env: { ...env, SORTIE_ROLE: 'worker' } })
    const { id } = await started(key, wanted)
    await eventually(async () => {
      expect((await getScan(key, id)).state).toBe('running')
      expect(await probesOf(id)).not.toEqual([])
      // The host, and the open port.
      const { created, unchanged } = (await getScan(key, id)).counts
      expect(created + unchanged).toBeGreaterThanOrEqual(2)
    })
    await worker.kill()
    killed.push(id)
  }
  const { accepted } = listener
  await stage.server({ env: { ...env, SORTIE_ROLE: 'worker' } })
  for (const id of killed) {
    await eventually(async () => expect((await getScan(key, id)).state).toBe('partial'), NOTICED_WITHIN_MS)
    expect(await getScan(key, id)).toMatchObject({ stateReason: 'The process that did this ended unexpectedly.' })
    expect(await probesOf(id)).toEqual([])
    const { data } = (await key.get(`/api/v1/operations?scanId=${id}`)).body
    expect(data).not.toEqual([])
  }
  expect(listener.accepted).toBe(accepted)
  const services = (await key.get(`/api/v1/results?engagementId=${engagementId}&kind=service`)).body.data
  expect(services.filter((row: { asset: string }) => row.asset === `127.0.0.1:${port}/tcp`)).toHaveLength(1)
}
