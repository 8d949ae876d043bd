import { parseAllowEntry, parseEntry } from '../outbound/entries.ts'
import { choice, egressEntries, integer, nameServers } from './config-values.ts'
import type { Variable } from './variable.ts'

/** Settings of scans and requests: what they may reach, and how many run. */
export const EGRESS_VARIABLES = {
  DNS_SERVERS: {
    doc: "Name servers used to verify domains and to resolve the targets of scans and requests, separated by commas; if unset, the system's.",
    parse: nameServers,
  },
  EGRESS_ALLOW: {
    doc: 'Ranges, addresses and `address:port`, separated by commas, that scans and requests may reach in addition to public addresses; see [Egress](platform/egress.md).',
    parse: egressEntries(parseAllowEntry),
  },
  EGRESS_DENY: {
    doc: 'Ranges, addresses and `address:port`, separated by commas, that scans and requests never reach, whatever `EGRESS_ALLOW` says.',
    parse: egressEntries(parseEntry),
  },
  REQUESTS_BY: {
    doc: 'Who sends saved API requests: the `server` that answers, or `workers` (`npm run operator -- worker --only requests`; docs/platform/egress.md).',
    fallback: 'server',
    parse: choice('server', 'workers'),
  },
  REQUEST_RUNS_AT_ONCE: {
    doc: 'Saved API requests that one organization executes at the same time.',
    fallback: '8',
    parse: integer(1, 1_000),
  },
  REQUEST_RUNS_PER_HOUR: {
    doc: 'Saved API requests that one organization executes in an hour.',
    fallback: '1000',
    parse: integer(1, 1_000_000),
  },
  RUN_BODY_LIMIT_BYTES: {
    doc: 'Bytes kept of a response body; the rest is read, counted and discarded.',
    fallback: '1048576',
    parse: integer(0, 16_777_216),
  },
  SCAN_CONCURRENCY: {
    doc: 'Scans of one organization that run at the same time; each process runs the same number of scans of other organizations.',
    fallback: '2',
    parse: integer(1, 100),
  },
  SCAN_MAX_CONNECTIONS: {
    doc: 'Connections that all scans together may have open; processes share them evenly.',
    fallback: '500',
    parse: integer(1, 50_000),
  },
  SCAN_QUEUE_LIMIT: {
    doc: 'Scans of one organization that may be queued.',
    fallback: '100',
    parse: integer(1, 100_000),
  },
  SCAN_MAX_PROBES: {
    doc: 'Largest scan: addresses times ports, or requests of its scanners.',
    fallback: '20000000',
    parse: integer(1, 1_000_000_000_000),
  },
} as const satisfies Record<string, Variable<unknown>>
