import type { Severity } from '@sortie/contract/core/values.ts'

/** A range of ports, both ends included. */
export type Range = readonly [from: number, to: number]

/** One statement of what a source examined. A result inside it that the source does not report is gone. */
export type Coverage =
  /** The state of this host: up or down. */
  | { what: 'host'; host: string }
  /**
   * Ports of a host. `ranges` covers services; `closed` also covers the responses, certificates and technologies at
   * closed ports.
   */
  | { what: 'ports'; host: string; protocol: string; ranges: readonly Range[]; closed: readonly Range[] }
  /** DNS records of this type for a name, or PTR records for an address. */
  | { what: 'records'; host: string; recordType: string }
  /** The response of this URL. */
  | { what: 'url'; host: string; url: string }
  /** The certificate of a port for this server name (SNI); null: without SNI. */
  | { what: 'certificate'; host: string; port: number; serverName: string | null }
  /**
   * All vulnerabilities that this tool finds at a host; with `site` only at that asset, with `severities` only these.
   */
  | { what: 'vulnerabilities'; host: string; site?: string; severities?: readonly Severity[] }
  /** One rule at one location. */
  | { what: 'rule'; host: string; ruleId: string; location: string }
  /** One rule at these ports of a host (null: results without a port), optionally only beneath a URL. */
  | { what: 'rule'; host: string; ruleId: string; ports: readonly number[] | null; beneath: string | null }
  /** Everything that this tool reports for a host; null: for the whole engagement. */
  | { what: 'everything'; host: string | null }
  /** Excludes a host, or one rule there, whatever other coverage states. */
  | { what: 'nothing'; host: string; ruleId?: string | undefined }
