import os from 'node:os'
import pg from 'pg'
import type { Config } from '../config.ts'
import { parseAddress, parseHost, textOf } from './addresses.ts'
import { type FindAddresses, UnresolvedError } from './names.ts'

const REDIS_PORT = 6379
/** Ports of mail submission: nodemailer chooses 465 or 587 if the address names no port. */
const SMTP_PORTS = [25, 465, 587]
/** Ports of proxies in front of a web server, regardless of its other settings. */
const WEB_PORTS = [80, 443]
const MACHINE_MAX_AGE_MS = 1_000

/** A service of the instance, by the host in its setting; undefined: this machine. */
interface Service {
  host: string | undefined
  ports: readonly number[]
}

/** Settings that contain the addresses of the server and its services. */
export type OwnSettings = Pick<
  Config,
  | 'PORT'
  | 'METRICS_PORT'
  | 'FRONTEND_URL'
  | 'ALLOWED_HOSTS'
  | 'DATABASE_URL'
  | 'REDIS_URL'
  | 'SMTP_URL'
  | 'OTEL_EXPORTER_OTLP_ENDPOINT'
>

/** Facts about an address at one port; addresses in their canonical spelling. */
export interface Own {
  /**
   * Reports whether this server, or a service that it uses, listens there. A service on this machine is at all its
   * addresses.
   */
  isOwnPort(address: string): boolean
  /** Reports whether an interface of this machine has this address; loopback is a separate kind. */
  isOwnAddress(address: string): boolean
}

/**
 * Finds which addresses of a host are this instance itself. A service whose name cannot be resolved counts as
 * everywhere: a scan without that port is better than a scan of the instance's own database.
 */
export type FindOwn = (host: string, port: number | undefined) => Promise<Own>

/** @param findAddresses resolves like the services' clients do: through the system */
export const createFindOwn = (config: OwnSettings, findAddresses: FindAddresses): FindOwn => {
  const services = servicesOf(config)
  const ownNames = new Set([new URL(config.FRONTEND_URL).hostname, ...(config.ALLOWED_HOSTS ?? [])].map(nameOf))
  const namedAt = portsOfNames(config)
  const findMachine = machineAddresses()
  const findOwnPort = async (
    host: string,
    port: number | undefined,
    machine: ReadonlySet<string>,
  ): Promise<Own['isOwnPort']> => {
    if (port === undefined) return () => false
    // By name only: the address may be a proxy or a content network with a thousand other hosts behind it.
    if (namedAt.includes(port) && ownNames.has(nameOf(host))) return () => true
    const there = services.filter(({ ports }) => ports.includes(port))
    if (there.length === 0) return () => false
    const isHere = (address: string) =>
      machine.has(address) || ['loopback', 'unspecified'].includes(parseAddress(address)?.range() ?? '')
    const own = new Set<string>()
    for (const service of there) {
      const addresses = service.host === undefined ? ['127.0.0.1'] : await addressesOf(service.host, findAddresses)
      if (!addresses) return () => true
      for (const address of addresses) own.add(address)
    }
    const isOnMachine = [...own].some(isHere)
    return (address) => own.has(address) || (isOnMachine && isHere(address))
  }
  return async (host, port) => {
    const machine = findMachine()
    const isOwnPort = await findOwnPort(host, port, machine)
    return {
      isOwnPort,
      isOwnAddress: (address) => machine.has(address) && parseAddress(address)?.range() !== 'loopback',
    }
  }
}

/** Ports at which the instance itself, or a service that it uses, listens. */
export const ownPorts = (config: OwnSettings): number[] => [
  ...servicesOf(config).flatMap(({ ports }) => ports),
  ...portsOfNames(config),
]

/**
 * Ports at which the server's names may reach it: directly, through a proxy in front of it, or through a forwarded
 * port.
 */
const portsOfNames = (config: OwnSettings): number[] => [config.PORT, frontPort(config), ...WEB_PORTS]

const frontPort = ({ FRONTEND_URL }: OwnSettings): number => {
  const { port, protocol } = new URL(FRONTEND_URL)
  return Number(port) || (protocol === 'https:' ? 443 : 80)
}

const servicesOf = (config: OwnSettings): Service[] => {
  const { PORT, METRICS_PORT, DATABASE_URL, REDIS_URL, SMTP_URL, OTEL_EXPORTER_OTLP_ENDPOINT: collector } = config
  // A proxy in front of the server on this machine forwards to it, whatever name and address a client uses.
  const services: Service[] = [{ host: undefined, ports: [PORT, frontPort(config)] }]
  if (METRICS_PORT !== undefined) services.push({ host: undefined, ports: [METRICS_PORT] })
  if (DATABASE_URL) {
    const { host, port } = new pg.Client({ connectionString: DATABASE_URL })
    // A path is a socket of this machine, whose Postgres usually listens on this port as well.
    services.push({ host: host.startsWith('/') ? undefined : host, ports: [port] })
  }
  if (REDIS_URL) services.push(serviceAt(REDIS_URL, [REDIS_PORT]))
  if (SMTP_URL) services.push(serviceAt(SMTP_URL, SMTP_PORTS))
  if (collector) services.push(serviceAt(collector, WEB_PORTS))
  return services
}

const serviceAt = (address: string, defaultPorts: readonly number[]): Service => {
  const { hostname, port } = new URL(address)
  return { host: hostname || undefined, ports: port ? [Number(port)] : defaultPorts }
}

const addressesOf = async (host: string, findAddresses: FindAddresses): Promise<string[] | undefined> => {
  const parsed = parseHost(host)
  if (parsed === undefined) return undefined
  if (typeof parsed !== 'string') return [textOf(parsed)]
  try {
    return (await findAddresses(parsed)).map(textOf)
  } catch (error) {
    if (error instanceof UnresolvedError) return undefined
    throw error
  }
}

/** The addresses of this machine's interfaces. They change at run time, and a scan asks thousands of times a second. */
const machineAddresses = (): (() => ReadonlySet<string>) => {
  let readAt = Number.NEGATIVE_INFINITY
  let known: ReadonlySet<string> = new Set()
  return () => {
    if (performance.now() - readAt < MACHINE_MAX_AGE_MS) return known
    const found = Object.values(os.networkInterfaces()).flatMap((addresses) => addresses ?? [])
    known = new Set(found.flatMap(({ address }) => parseAddress(address.split('%', 1)[0] ?? '') ?? []).map(textOf))
    readAt = performance.now()
    return known
  }
}

/** For comparisons: one spelling, without the dot that makes a name absolute. */
const nameOf = (host: string): string | undefined => {
  const parsed = parseHost(host)
  return typeof parsed === 'object' ? textOf(parsed) : parsed?.replace(/\.$/, '')
}
