import { recordAudit } from '../../features/audit/audit.service.ts'
import { findHosts } from '../../features/inventory/hosts/hosts.service.ts'
import { countChanges, recordSightings } from '../../features/inventory/ingest/ingest.service.ts'
import { serviceSighting } from '../../features/inventory/sightings/sightings.ts'
import { httpResponseSighting } from '../../features/inventory/sightings/web-sightings.ts'
import { insertLines } from '../../features/scans/log/log.queries.ts'
import { insertScan, updateScan } from '../../features/scans/scans.queries.ts'
import type { Actor } from '../../platform/auth/actor.ts'
import { isoTime } from '../../platform/clock.ts'
import type { Writer } from '../../platform/context.ts'
import { newId } from '../../platform/ids.ts'

interface DemoScan {
  name: string
  daysAgo: number
  /** The tag of its targets. */
  tag: string
  services: readonly (readonly [host: string, port: number, name: string, product: string, version: string])[]
  pages: readonly (readonly [url: string, status: number, title: string, server: string])[]
}

const WEB = (host: string): DemoScan['services'][number] => [host, 443, 'https', 'nginx', '1.26.2']

/** By the client's name. These scans are records only: nothing was sent. */
const SCANS: Readonly<Record<string, readonly DemoScan[]>> = {
  Contoso: [
    {
      name: 'Web applications, first look',
      daysAgo: 70,
      tag: 'portal',
      services: [
        WEB('198.51.100.40'),
        WEB('198.51.100.41'),
        WEB('198.51.100.42'),
        ['198.51.100.43', 443, 'https', 'Apache httpd', '2.4.57'],
      ],
      pages: [
        ['https://portal.contoso.example/', 200, 'Contoso portal', 'nginx'],
        ['https://api.contoso.example/', 404, 'Not found', 'nginx'],
        ['https://booking.contoso.example/', 200, 'Book a stay', 'nginx'],
        ['https://id.contoso.example/', 302, 'Sign in', 'Apache/2.4.57'],
      ],
    },
    {
      name: 'Web applications, before the retest',
      daysAgo: 8,
      tag: 'portal',
      services: [
        WEB('198.51.100.40'),
        WEB('198.51.100.41'),
        WEB('198.51.100.42'),
        ['198.51.100.43', 443, 'https', 'Apache httpd', '2.4.62'],
      ],
      pages: [
        ['https://portal.contoso.example/', 200, 'Contoso portal', 'nginx'],
        ['https://booking.contoso.example/', 200, 'Book a stay', 'nginx'],
        ['https://booking.contoso.example/feedback', 200, 'Tell us', 'nginx'],
        ['https://id.contoso.example/', 302, 'Sign in', 'Apache/2.4.62'],
      ],
    },
  ],
  Fabrikam: [
    {
      name: 'Domain controllers and file server',
      daysAgo: 36,
      tag: 'directory',
      services: [
        ['10.40.0.10', 88, 'kerberos-sec', 'Microsoft Windows Kerberos', ''],
        ['10.40.0.10', 389, 'ldap', 'Microsoft Windows Active Directory LDAP', ''],
        ['10.40.0.11', 636, 'ldaps', 'Microsoft Windows Active Directory LDAP', ''],
        ['10.40.0.31', 445, 'microsoft-ds', 'Windows Server 2019', ''],
      ],
      pages: [['https://intranet.corp.fabrikam.example/', 200, 'Fabrikam intranet', 'Microsoft-IIS/10.0']],
    },
  ],
  'Tailspin Toys': [
    {
      name: 'API of the new build',
      daysAgo: 14,
      tag: 'api',
      services: [['203.0.113.80', 443, 'https', 'envoy', '']],
      pages: [
        ['https://api.tailspin.example/v2/resource-1', 401, 'Unauthorized', 'envoy'],
        ['https://bank.tailspin.example/mobile', 200, 'Tailspin Bank', 'envoy'],
      ],
    },
  ],
}

const MINUTE_MS = 60_000

/** Scans that ended in the past, with their results, for an engagement with this client. */
export const seedScans = async (
  daysAgo: (days: number) => Writer,
  actor: Actor,
  engagementId: string,
  clientName: string | undefined,
): Promise<void> => {
  for (const scan of SCANS[clientName ?? ''] ?? []) await seedScan(daysAgo(scan.daysAgo), actor, engagementId, scan)
}

const seedScan = (
  writer: Writer,
  actor: Actor,
  engagementId: string,
  { name, tag, services, pages }: DemoScan,
): Promise<void> =>
  writer.change(async (tx) => {
    const { organizationId } = actor
    const { clock, config } = writer
    const startedAt = isoTime(clock.now())
    const endedAt = isoTime(clock.now() + 7 * MINUTE_MS)
    const id = newId('scn', clock.now())
    const of = { organizationId, engagementId, scanId: id }
    const scanners = [{ id: 'ports', options: { ports: 'top-100' } }, { id: 'http' }]
    await insertScan(tx, {
      id,
      organization_id: organizationId,
      engagement_id: engagementId,
      name,
      scanners: JSON.stringify(scanners),
      targets: JSON.stringify({ filter: { engagementId, tag: [tag] } }),
      target_ids: [],
      out_of_scope: 'skip',
      state: 'running',
      trigger: 'manual',
      requested_by: actor.id,
      actor_id: actor.id,
      actor_name: actor.name,
      created_at: startedAt,
      started_at: startedAt,
    })
    const found = {
      ports: services.map(([host, port, service, product, version]) =>
        serviceSighting({ host, protocol: 'tcp', port, name: service, product, version }),
      ),
      http: pages.map(([url, status, title, server]) =>
        httpResponseSighting({ url, status, title, server, contentType: 'text/html' }),
      ),
    }
    for (const [tool, sightings] of Object.entries(found)) {
      const source = { kind: 'scan' as const, id, tool, organizationId, engagementId, seenAt: startedAt }
      const finding = {
        source,
        mode: 'apply' as const,
        now: startedAt,
        limit: config.TARGET_LIMIT,
        keep: async () => undefined,
        outOfScope: 'mark' as const,
      }
      const { targetsOf } = await findHosts(tx, finding, sightings)
      await recordSightings(tx, clock, source, sightings, targetsOf)
      await insertLines(tx, of, [{ at: startedAt, level: 'info', scanner: tool, text: 'Started.' }])
    }
    await insertLines(tx, of, [{ at: endedAt, level: 'info', scanner: null, text: 'Finished.' }])
    const counts = JSON.stringify(await countChanges(tx, organizationId, id))
    await updateScan(tx, organizationId, id, { state: 'succeeded', counts, finished_at: endedAt })
    await recordAudit(tx, actor, clock, {
      action: 'scan.created',
      object: { type: 'scan', id },
      engagementId,
      after: { name, scanners: scanners.map((scanner) => scanner.id), targets: pages.length },
    })
  })
