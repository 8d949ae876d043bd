import type { Socket } from 'node:net'
import type { SCANNER_IDS, ScanStep } from '@sortie/contract/scans.ts'
import type { Static, TObject } from 'typebox'
import type { Agent } from 'undici'
import type { DnsRecord, RecordType } from '../../../platform/outbound/records.ts'
import type { Coverage } from '../../results/coverages.ts'
import type { Kind, Sighting } from '../../results/sightings.ts'

export type ScannerId = (typeof SCANNER_IDS)[number]
export type ScannerOptions = NonNullable<Static<typeof ScanStep>['options']>

/** Something to look at: what targets say, networks address by address, and what earlier scanners found. */
export type Lead =
  | { kind: 'name'; name: string }
  /** `name`: by which it was found, if by any. */
  | { kind: 'address'; address: string; name?: string | undefined }
  /** `address` is a name where the target says a name and nobody has resolved it; `service` what speaks there, `https`. */
  | { kind: 'service'; address: string; name?: string | undefined; protocol: 'tcp' | 'udp'; port: number; service?: string | undefined }
  | { kind: 'url'; url: string }

/** What a scanner says while it runs. */
export type Found =
  | { type: 'sighting'; sighting: Sighting }
  | { type: 'coverage'; coverage: Coverage }
  /** A name or address that may become a target, where the scan wants that and it is in scope. */
  | { type: 'host'; host: string }
  /** For the scanners after this one. */
  | { type: 'lead'; lead: Lead }
  | { type: 'log'; level: 'info' | 'warning' | 'error'; text: string }
  /** It was not looked at, since rules or the egress policy do not let it be touched, or its name does not resolve. */
  | { type: 'skipped'; host: string; reason: string }
  /** So many of its `units` are done. */
  | { type: 'done'; units: number }

/** The rules of the engagement or the egress policy do not let it be touched; nothing was sent to it. */
export class Untouchable extends Error {
  readonly host: string

  constructor(host: string, why: string) {
    super(why)
    this.name = 'Untouchable'
    this.host = host
  }
}

/** Nothing answered within the time given. */
export class NoAnswer extends Error {}

/** Ports of a host; both ends included. */
export type PortRange = readonly [from: number, to: number]

export interface Place {
  /** The name by which it is asked, or the address. */
  host: string
  /** Where the name was resolved before: only this address of it. */
  address?: string | undefined
  port: number
  /** What is asked of it, where it is asked by HTTP: rules may be about URLs. */
  url?: URL | undefined
}

/**
 * The one way in which a scanner reaches anything. Each connection is judged by scope, testing hours, dates and status, none
 * of them more than a second old, and by the egress policy; takes one of the connections that all scans together may have;
 * and is written to the operation log.
 */
export interface Reach {
  /** Aborted when the scan is cancelled or must stop: whatever waits ends, open connections are destroyed, nothing more leaves. */
  signal: AbortSignal
  /**
   * An open connection, for the caller to destroy. An error from then on ends it, and needs no listener.
   *
   * @throws Untouchable, NoAnswer after `timeoutMs`, UnresolvedError, the reason of `signal`, what `node:net` throws
   */
  connect(place: Place, timeoutMs: number): Promise<Socket>
  /**
   * For one host and port, over HTTP/1.1. Destroy it after use. Its requests fail with what `connect` throws, but for
   * EgressRefusedError in place of Untouchable, and undici's own errors. Certificates are not checked: what a server shows is
   * the finding.
   */
  createHttpAgent(place: Place, timeoutMs: number): Agent
  /**
   * Judges without touching: the addresses of a name, all of which may be touched, or the address itself.
   *
   * @throws Untouchable, UnresolvedError, the reason of `signal`
   */
  judge(place: Omit<Place, 'port'> & { port?: number }): Promise<readonly string[]>
  /** Whether rules of the scope cover it: what none is about may be touched, and is not gone to by itself. @throws Untouchable, the reason of `signal` */
  isInScope(place: Omit<Place, 'port'>): Promise<boolean>
  /** Ports at which the egress policy does not let an address be touched that is open otherwise. */
  deniedPorts(address: string): Promise<readonly number[]>
  /** For a program of its own, that opens up to `count` connections; what is given may be fewer. Give them back. */
  takeConnections(count: number): Promise<{ count: number; release: () => void }>
  /** Notes for the operation log what a program of its own sends at this moment. */
  note(place: { address: string; host?: string | undefined }, protocol: 'tcp' | 'udp', ports: readonly PortRange[]): Promise<void>
  /**
   * Asks the name servers of the instance; of type PTR, about an address.
   *
   * @returns none for no such name and no such record
   * @throws Untouchable, the reason of `signal`, what `node:dns` throws for time-outs, SERVFAIL and answers that are none
   */
  findRecords(name: string, type: RecordType): Promise<readonly DnsRecord[]>
}

/** A scanner: one file with this declaration. Adding one touches `scanners.ts` and the ids of the contract alone. */
export interface Scanner<O extends TObject = TObject> {
  id: ScannerId
  name: string
  description: string
  /** Kinds of targets that it takes. */
  takes: readonly ('domain' | 'ip' | 'cidr' | 'url' | 'service')[]
  produces: readonly Kind[]
  /** It says which ports of an address are open. */
  findsServices?: boolean
  /** It asks services: those that the inventory knows of its targets are given to it as well. */
  asksServices?: boolean
  /** Its options with their defaults, as `completeOptions` fills them in and `GET /scanners` shows them. */
  options: O
  /** Why this instance cannot run it; null where it can. */
  unavailable(): Promise<string | null>
  /** Connections or questions that it sends to one of these, a name counting as one address: for SCAN_MAX_PROBES and for progress. */
  unitsOf(lead: Lead, options: Static<O>): number
  /** Goes through the leads that it takes, and ignores others. Ends when `reach.signal` is aborted. */
  run(leads: Iterable<Lead> | AsyncIterable<Lead>, options: Static<O>, reach: Reach): AsyncGenerator<Found>
}
