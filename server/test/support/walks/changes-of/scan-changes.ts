import { randomUUID } from 'node:crypto'
import type { TestApp } from '../../app/test-app.ts'
import type { TestClient, TestResponse } from '../../app/test-client.ts'

type Change = (app: TestApp, client: TestClient, prefix: string) => Promise<() => Promise<TestResponse>>

const engagementOf = async (client: TestClient, prefix: string): Promise<string> =>
  (await client.post(`${prefix}/engagements`, { name: 'Scanned' })).body.data.id

/** Targets an address that the egress policy refuses: nothing is sent. */
const scanIn = async (client: TestClient, prefix: string) => {
  const engagementId = await engagementOf(client, prefix)
  const { id } = (await client.post(`${prefix}/targets`, { engagementId, value: '192.0.2.1' })).body.data
  return { engagementId, scanners: [{ id: 'ports', options: { ports: '80' } }], targets: { ids: [id] } }
}

const scheduleIn = async (client: TestClient, prefix: string) => {
  const engagementId = await engagementOf(client, prefix)
  return {
    engagementId,
    name: 'Changed',
    cron: '0 2 * * *',
    scanners: [{ id: 'ports' }],
    targets: { filter: { engagementId } },
  }
}

/** Recipes with which endpoints of scans, schedules and the operation log succeed. */
export const SCAN_CHANGES: Record<string, Change> = {
  createScan: async (_app, client, prefix) => {
    const wanted = await scanIn(client, prefix)
    return () => client.post(`${prefix}/scans`, wanted)
  },
  cancelScan: async (_app, client, prefix) => {
    const { id } = (await client.post(`${prefix}/scans`, await scanIn(client, prefix))).body.data
    return () => client.post(`${prefix}/scans/${id}/cancel`)
  },
  repeatScan: async (_app, client, prefix) => {
    const { id } = (await client.post(`${prefix}/scans`, await scanIn(client, prefix))).body.data
    return () => client.post(`${prefix}/scans/${id}/repeat`)
  },
  createScanSchedule: async (_app, client, prefix) => {
    const wanted = await scheduleIn(client, prefix)
    return () => client.post(`${prefix}/scan-schedules`, wanted)
  },
  updateScanSchedule: async (_app, client, prefix) => {
    const { id } = (await client.post(`${prefix}/scan-schedules`, await scheduleIn(client, prefix))).body.data
    return () => client.patch(`${prefix}/scan-schedules/${id}`, { name: 'Other' })
  },
  deleteScanSchedule: async (_app, client, prefix) => {
    const { id } = (await client.post(`${prefix}/scan-schedules`, await scheduleIn(client, prefix))).body.data
    return () => client.delete(`${prefix}/scan-schedules/${id}`)
  },
  createOperation: async (_app, client, prefix) => {
    const engagementId = await engagementOf(client, prefix)
    return () =>
      client.post(`${prefix}/operations`, {
        engagementId,
        startedAt: '2026-11-21T14:03:02.120Z',
        address: '192.0.2.1',
        note: 'Changed',
      })
  },
  createOperations: async (_app, client, prefix) => {
    const engagementId = await engagementOf(client, prefix)
    return () =>
      client.post(`${prefix}/operations/bulk`, {
        engagementId,
        externalId: randomUUID(),
        startedAt: '2026-11-21T14:03:02.120Z',
        command: 'nmap 192.0.2.1',
        targets: [{ address: '192.0.2.1' }],
      })
  },
}
