import { Readable } from 'node:stream'
import { createEngagement } from '../../features/engagements/engagements.service.ts'
import { createImport } from '../../features/imports/imports.service.ts'
import { createScan } from '../../features/scans/scans.service.ts'
import { createScanSchedule } from '../../features/scans/schedules/schedules.service.ts'
import { createScopeRule } from '../../features/scope/scope.service.ts'
import { createTarget } from '../../features/targets/targets.service.ts'
import { reevaluateTargets } from '../../features/targets/verdicts/reevaluate-targets.service.ts'
import type { Actor } from '../../platform/auth/actor.ts'
import { isoTime } from '../../platform/clock.ts'
import type { Writer } from '../../platform/context.ts'
import { DEMO_NETWORK, DEMO_PORTS } from './demo-hosts.ts'

/** Days between each run of nmap and the start of the server. */
const PERIMETER_DAYS_AGO = [77, 42, 14, 1]

const HOSTS = 60
/** Ports that a host may have open, with the service on each. */
const SERVICES: readonly [port: number, name: string, product: string, version: string][] = [
  [22, 'ssh', 'OpenSSH', '9.6p1'],
  [25, 'smtp', 'Postfix smtpd', ''],
  [80, 'http', 'nginx', '1.24.0'],
  [443, 'https', 'nginx', '1.24.0'],
  [3389, 'ms-wbt-server', 'Microsoft Terminal Services', ''],
  [8080, 'http', 'Apache Tomcat', '9.0.83'],
]

/** Decides whether a port of a host is open in a run: a few more, and a few less, from one run to the next. */
const isOpen = (host: number, index: number, run: number): boolean =>
  (host * 7 + index * 13) % 5 < 2 && (host * 3 + index + run * 11) % 17 !== 0

/** Four runs of nmap over the perimeter in twelve weeks, and a daily scan that waits to be turned on. */
export const seedRecon = async (
  platform: Writer,
  actor: Actor,
  engagementId: string,
  clientName: string | undefined,
  daysAgo: (days: number) => Writer,
): Promise<void> => {
  if (clientName !== 'Contoso') return
  for (const [run, days] of PERIMETER_DAYS_AGO.entries()) {
    const then = daysAgo(days)
    const seconds = Math.floor(then.clock.now() / 1_000) - 3_600
    const options = {
      fullRescan: false,
      outOfScope: 'mark' as const,
      covered: null,
      mapping: {},
      seenAt: isoTime(then.clock.now()),
    }
    const wanted = {
      engagementId,
      fileName: `perimeter-${run + 1}.xml`,
      format: 'auto',
      mode: 'apply' as const,
      options,
    }
    await createImport(then, actor, wanted, Readable.from([nmapFile(run, seconds)], { objectMode: false }))
  }
  await createScanSchedule(platform, actor, {
    engagementId,
    name: 'Perimeter, every morning',
    cron: '15 9 * * 1-5',
    timeZone: 'Europe/Berlin',
    scanners: [{ id: 'dns' }, { id: 'ports', options: { ports: 'top-100' } }, { id: 'http' }, { id: 'tls' }],
    targets: { filter: { engagementId, verdict: ['in'] } },
    enabled: false,
  })
}

/** An engagement on the demonstration's own network, with a scan that runs as soon as the server does. */
export const seedLab = async (platform: Writer, actor: Actor): Promise<void> => {
  const { id: engagementId } = await createEngagement(platform, actor, {
    name: 'Lab on this machine',
    description: `A network of three hosts, ${DEMO_NETWORK}, that this demonstration brings with it. Scan it as you like.`,
    details: { clientName: 'Northwind', kind: 'recon', lead: actor.id },
  })
  await createScopeRule(platform, actor, reevaluateTargets, {
    engagementId,
    effect: 'allow',
    pattern: DEMO_NETWORK,
    note: 'addresses of this machine',
  })
  const { id } = await createTarget(platform, actor, { engagementId, value: DEMO_NETWORK })
  await createScan(platform, actor, {
    engagementId,
    name: 'First look',
    scanners: [{ id: 'ports', options: { ports: DEMO_PORTS } }, { id: 'http' }],
    targets: { ids: [id] },
  })
}

const nmapFile = (run: number, seconds: number): string => {
  const services = SERVICES.map(([port]) => port).join(',')
  const hosts = Array.from({ length: HOSTS }, (_, host) => {
    const open = SERVICES.filter((_service, index) => isOpen(host, index, run))
    const ports = open.map(([port, name, product, version]) => {
      const state = '<state state="open" reason="syn-ack"/>'
      return `<port protocol="tcp" portid="${port}">${state}<service name="${name}" product="${product}" version="${version}" method="probed"/></port>`
    })
    const at = seconds + host * 20
    const closed = `<extraports state="closed" count="${SERVICES.length - open.length}"><extrareasons reason="reset" count="${SERVICES.length - open.length}"/></extraports>`
    return `<host starttime="${at}" endtime="${at + 55}"><status state="up" reason="syn-ack"/><address addr="198.51.100.${host + 1}" addrtype="ipv4"/><ports>${closed}${ports.join('')}</ports></host>`
  })
  return `<?xml version="1.0"?>\n<nmaprun scanner="nmap" version="7.95" xmloutputversion="1.05" start="${seconds}">\n<scaninfo type="connect" protocol="tcp" numservices="${SERVICES.length}" services="${services}"/>\n${hosts.join('\n')}\n<runstats><finished time="${seconds + HOSTS * 20}"/></runstats></nmaprun>\n`
}
