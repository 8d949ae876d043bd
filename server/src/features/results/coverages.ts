import type { Severity } from './severities.ts'

/** Ports, both ends included. */
export type Range = readonly [from: number, to: number]

/** What a source says that it looked at: a result there that it does not show is gone. */
export type Coverage =
  /** Whether this host is up. */
  | { what: 'host'; host: string }
  /** These ports of a host: which are open, and of those that are closed, that nothing answers there. */
  | { what: 'ports'; host: string; protocol: string; ranges: readonly Range[]; closed: readonly Range[] }
  /** Records of this type of a name or, of type PTR, of an address. */
  | { what: 'records'; host: string; recordType: string }
  /** What this URL answers. */
  | { what: 'url'; host: string; url: string }
  /** Which certificate a port shows to those who ask by this name; null: to those who name none. */
  | { what: 'certificate'; host: string; port: number; serverName: string | null }
  /** Every vulnerability that this tool finds at a host; of a site, at this asset alone; of `severities`, those alone. */
  | { what: 'vulnerabilities'; host: string; site?: string; severities?: readonly Severity[] }
  /** One rule at one place. */
  | { what: 'rule'; host: string; ruleId: string; location: string }
  /** One rule at these ports of a host (null: at none), wherever beneath a URL if there is one. */
  | { what: 'rule'; host: string; ruleId: string; ports: readonly number[] | null; beneath: string | null }
  /** Everything that this tool sees: of a host, or where it is null of the engagement. */
  | { what: 'everything'; host: string | null }
  /** Nothing of this host, or with `ruleId` nothing of this rule there, whatever else is said. */
  | { what: 'nothing'; host: string; ruleId?: string | undefined }
