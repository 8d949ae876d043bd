import {
  canonicalAddress,
  canonicalHost,
  canonicalName,
  canonicalPort,
  canonicalUrl,
  hostAndPort,
  splitHostAndPort,
} from '../../inventory/sightings/canonical.ts'
import { originOf } from '../../inventory/sightings/web-sightings.ts'

/** The place of a finding, parsed from a tool's text. */
export interface FindingLocation {
  asset: string
  location: string
  host: string | undefined
  askedName: string | undefined
  port: number | undefined
  protocol: string | undefined
}

/**
 * Schemes whose URLs name a host, with their default ports (IANA). With other schemes the part after `://` may not be a
 * host.
 */
const PORTS = new Map(
  Object.entries({
    ws: 80,
    wss: 443,
    ftp: 21,
    ftps: 990,
    sftp: 22,
    ssh: 22,
    telnet: 23,
    smtp: 25,
    smtps: 465,
    imap: 143,
    imaps: 993,
    pop3: 110,
    pop3s: 995,
    ldap: 389,
    ldaps: 636,
    smb: 445,
    rdp: 3389,
    vnc: 5900,
    rtsp: 554,
    rsync: 873,
    git: 9418,
    mysql: 3306,
    mssql: 1433,
    postgres: 5432,
    postgresql: 5432,
    redis: 6379,
    mongodb: 27017,
    amqp: 5672,
    amqps: 5671,
    mqtt: 1883,
    mqtts: 8883,
  }),
)
const OTHER_URL =
  /^([a-z][a-z0-9+.-]{0,30}):\/\/(?:[^/?#@]{0,1000}@)?(\[[^\]]{0,100}\]|[^:/?#\\]{1,1000})(?::(\d{1,5}))?([/?#].*)?$/is

/**
 * Parses a URL (its asset is the origin, or host and port for non-web schemes), `host:port` or a host. Returns
 * undefined for anything else, because a host becomes a target and may be scanned.
 *
 * @param port used if the text has none
 */
export const placeOf = (written: string, port?: number, protocol = 'tcp'): FindingLocation | undefined => {
  const url = canonicalUrl(written)
  if (url) {
    const host = canonicalHost(url.hostname) as string
    const ofUrl = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port)
    return {
      asset: originOf(url),
      location: url.href,
      host,
      askedName: canonicalName(host),
      port: ofUrl,
      protocol: 'tcp',
    }
  }
  const [, scheme, writtenHost = '', writtenPort, rest = ''] = OTHER_URL.exec(written.trim()) ?? []
  if (scheme !== undefined) {
    const [host, ofScheme] = [canonicalHost(writtenHost), PORTS.get(scheme.toLowerCase())]
    const ofUrl = writtenPort === undefined ? ofScheme : canonicalPort(writtenPort)
    if (host === undefined || ofScheme === undefined || ofUrl === undefined) return undefined
    const service = hostAndPort(host, ofUrl)
    const path = rest === '/' ? '' : rest
    return {
      asset: `${service}/tcp`,
      location: `${scheme.toLowerCase()}://${service}${path}`,
      host,
      askedName: canonicalName(host),
      port: ofUrl,
      protocol: 'tcp',
    }
  }
  const found = splitHostAndPort(written)
  if (!found) return undefined
  const actual = found.port ?? port
  const asset = actual === undefined ? found.host : `${hostAndPort(found.host, actual)}/${protocol}`
  return {
    asset,
    location: actual === undefined ? found.host : hostAndPort(found.host, actual),
    host: found.host,
    askedName: canonicalAddress(found.host) === undefined ? found.host : undefined,
    port: actual,
    protocol: actual === undefined ? undefined : protocol,
  }
}
