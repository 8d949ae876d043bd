import { createHash } from 'node:crypto'
import { endRun, insertRun } from '../../features/requests/runs/runs.queries.ts'
import type { Actor } from '../../platform/auth/actor.ts'
import { isoTime } from '../../platform/clock.ts'
import type { Writer } from '../../platform/context.ts'
import { newId } from '../../platform/ids.ts'

/** A response that the demonstration has recorded. */
export interface DemoResponse {
  status: number
  statusText: string
  body: unknown
  /** Kept for longer than other runs. */
  isPinned?: boolean
  tlsVersion?: string
}

/** Milliseconds: a request that is neither instant nor slow. */
const TIMING = { dns: 2, connect: 11, tls: 23, firstByte: 61, total: 64 }

/** Records a run of a request, as if it had been sent then. Nothing is sent. */
export const seedRun = (
  writer: Writer,
  actor: Actor,
  engagementId: string,
  request: { id: string; method: string; url: string },
  { status, statusText, body, isPinned = false, tlsVersion = 'TLSv1.3' }: DemoResponse,
): Promise<void> =>
  writer.change(async (tx) => {
    const now = writer.clock.now()
    const at = isoTime(now)
    const id = newId('run', now)
    const { organizationId } = actor
    const { host } = new URL(request.url)
    const bytes = Buffer.from(JSON.stringify(body))
    const headers = [
      { name: 'content-type', value: 'application/json' },
      { name: 'server', value: 'nginx' },
      { name: 'x-request-id', value: id.slice(4, 20) },
    ]
    await insertRun(tx, {
      id,
      organization_id: organizationId,
      engagement_id: engagementId,
      request_id: request.id,
      method: request.method,
      url: request.url,
      request: JSON.stringify({
        method: request.method,
        url: request.url,
        headers: [{ name: 'host', value: host }],
        body: null,
      }),
      pinned: isPinned,
      started_by: actor.id,
      created_at: at,
    })
    await endRun(tx, organizationId, id, {
      state: 'succeeded',
      reason: null,
      status,
      hops: JSON.stringify([{ url: request.url, address: '198.51.100.41', status }]),
      timing: JSON.stringify(TIMING),
      response: JSON.stringify({
        status,
        statusText,
        httpVersion: '1.1',
        headers,
        size: bytes.length,
        truncated: false,
        mediaType: 'application/json',
        bodySha256: createHash('sha256').update(bytes).digest('hex'),
        remoteAddress: '198.51.100.41',
        tls: {
          version: tlsVersion,
          cipher: tlsVersion === 'TLSv1.3' ? 'TLS_AES_256_GCM_SHA384' : 'ECDHE-RSA-AES256-SHA',
          issuer: 'R11',
          notAfter: isoTime(now + 60 * 24 * 3_600_000),
          problem: null,
        },
      }),
      body: bytes,
      body_secrets: '[]',
      ended_at: isoTime(now + TIMING.total),
    })
  })
