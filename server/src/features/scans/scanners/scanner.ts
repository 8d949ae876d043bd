import type { Socket } from 'node:net'
import type { SCANNER_IDS, ScanStep } from '@sortie/contract/inventory/scans.ts'
import type { Static, TObject } from 'typebox'
import type { Agent } from 'undici'
import type { DnsRecord, RecordType } from '../../../platform/outbound/records.ts'
import type { PermittedPorts } from '../../connection-rules/permit.ts'
import type { Coverage } from '../../inventory/coverage/coverage.ts'
import type { Kind, Sighting } from '../../inventory/sightings/sightings.ts'
import type { Port } from '../../scope/rules/recognise.ts'

export type ScannerId = (typeof SCANNER_IDS)[number]
export type ScannerOptions = NonNullable<Static<typeof ScanStep>['options']>

/**
 * An address, name, service or URL that a scanner examines: from targets, networks (address by address) and earlier
 * scanners.
 */
export type ScanInput =
  | { kind: 'name'; name: string }
  /** `name`: the name by which it was found, if any. */
  | { kind: 'address'; address: string; name?: string | undefined }
  /** `address` is a name if the target is an unresolved name; `service` is its protocol, such as `https`. */
  | {
      kind: 'service'
      address: string
      name?: string | undefined
      protocol: 'tcp' | 'udp'
      port: number
      service?: string | undefined
    }
  | { kind: 'url'; url: string }

/** A scanner's output. */
export type Found =
  | { type: 'sighting'; sighting: Sighting }
  | { type: 'coverage'; coverage: Coverage }
  /** A name or address that may become a target, if the scan adds targets and it is in scope. */
  | { type: 'host'; host: string }
  /** A scan input for later scanners. */
  | { type: 'input'; input: ScanInput }
  | { type: 'log'; level: 'info' | 'warning' | 'error'; text: string }
  /** Not examined: denied by rules or the egress policy, or its name does not resolve. */
  | { type: 'skipped'; host: string; reason: string }
  /** Number of finished `units`. */
  | { type: 'done'; units: number }

/** Denied by the scope rules or the egress policy; nothing was sent. */
export class OutOfScopeError extends Error {
  readonly host: string

  constructor(host: string, why: string) {
    super(why)
    this.name = 'OutOfScopeError'
    this.host = host
  }
}

/** No response within the time limit. */
export class NoAnswer extends Error {}

/** Both ends included. */
export type PortRange = readonly [from: number, to: number]

export interface ScanAddress {
  /** The requested name or the address. */
  host: string
  /** If the name is already resolved: only this address of it. */
  address?: string | undefined
  port: number
  /** The URL of an HTTP request, because rules may match URLs. */
  url?: URL | undefined
}

/**
 * A scanner's only access to the network. Each connection is checked against scope, testing hours, dates and status, at
 * most a second old, and against the egress policy. It counts against the limit of all scans together, and is written
 * to the operation log.
 */
export interface ScanNetwork {
  /**
   * Aborted when the scan is cancelled or must stop: waits end, open connections are destroyed, and nothing more is
   * sent.
   */
  signal: AbortSignal
  /**
   * Opens a connection, which the caller destroys. A later error closes it and needs no listener.
   *
   * @throws OutOfScopeError, NoAnswer after `timeoutMs`, UnresolvedError, the reason of `signal`, errors of `node:net`
   */
  connect(place: ScanAddress, timeoutMs: number): Promise<Socket>
  /**
   * For one host and port, over HTTP/1.1. Destroy it after use. Requests throw the errors of `connect`
   * (EgressRefusedError in place of OutOfScopeError) and undici's own errors. Certificates are not verified, because
   * the certificate is the finding.
   *
   * @param timeoutMs for opening a connection, once the scan has a free one
   * @param onReady called when the connection is open, and the request is sent
   */
  createHttpAgent(place: ScanAddress, timeoutMs: number, onReady?: () => void): Agent
  /**
   * Checks without sending to the host: returns all addresses of a name if all are permitted, or the address itself.
   * Without a port it checks the whole host, which may be denied at some ports all the same.
   *
   * @param place `only`: the scope rules evaluate this port, and the egress policy the host
   * @throws OutOfScopeError, UnresolvedError, the reason of `signal`
   */
  evaluate(
    place: Omit<ScanAddress, 'port'> & { port?: number | undefined; only?: Port | undefined },
  ): Promise<readonly string[]>
  /**
   * True if scope rules allow it. An address without a matching rule is permitted, but redirects to it are not
   * followed.
   * @throws OutOfScopeError, the reason of `signal`
   */
  isInScope(place: Omit<ScanAddress, 'port'>): Promise<boolean>
  /**
   * What scope rules permit an external program to send to an address by this name: whether the host is permitted, and
   * the ports that rules name.
   *
   * @throws OutOfScopeError, the reason of `signal`
   */
  permittedPorts(place: { host: string; address: string }): Promise<PermittedPorts>
  /** Ports of an otherwise permitted address that the egress policy denies. */
  deniedPorts(address: string): Promise<readonly number[]>
  /** Acquires up to `count` connections for an external program; it may get fewer. Release them. */
  acquireConnections(count: number): Promise<{ count: number; release: () => void }>
  /** Logs what an external program sends at this moment. */
  note(
    place: { address: string; host?: string | undefined },
    protocol: 'tcp' | 'udp',
    ports: readonly PortRange[],
  ): Promise<void>
  /**
   * Queries the instance's name servers; for PTR, about an address.
   *
   * @returns an empty list if the name or the record does not exist
   * @throws OutOfScopeError, the reason of `signal`, errors of `node:dns` for time-outs, SERVFAIL and invalid responses
   */
  findRecords(name: string, type: RecordType): Promise<readonly DnsRecord[]>
}

/**
 * A scanner: one file with this declaration. A new one only needs changes to `scanners.ts` and to the ids of the
 * contract.
 */
export interface Scanner<O extends TObject = TObject> {
  id: ScannerId
  name: string
  description: string
  /** Kinds of targets that it accepts. */
  takes: readonly ('domain' | 'ip' | 'cidr' | 'url' | 'service')[]
  produces: readonly Kind[]
  /** It detects the open ports of an address. */
  findsServices?: boolean
  /** It examines services: it also receives the known services of its targets. */
  asksServices?: boolean
  /** Its options with defaults, applied by `completeOptions` and returned by `GET /scanners`. */
  options: O
  /** Returns why this instance cannot run it; null if it can. */
  unavailable(): Promise<string | null>
  /**
   * Returns the connections or queries for one scan input, a name counting as one address: for SCAN_MAX_PROBES and
   * progress.
   */
  unitsOf(input: ScanInput, options: Static<O>): number
  /** Examines the scan inputs that it accepts, and ignores others. Ends when `signal` is aborted. */
  run(
    inputs: Iterable<ScanInput> | AsyncIterable<ScanInput>,
    options: Static<O>,
    reach: ScanNetwork,
  ): AsyncGenerator<Found>
}
