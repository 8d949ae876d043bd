import type { CurrentRules } from '../../../src/features/connection-rules/permit.ts'
import { createConnections } from '../../../src/features/scans/network/connections.ts'
import {
  createScanNetwork,
  type ScanNetworkOptions,
  type ScanOperation,
} from '../../../src/features/scans/network/scan-network.ts'
import type { Found, ScanNetwork } from '../../../src/features/scans/scanners/scanner.ts'
import { compileRules, type Effect } from '../../../src/features/scope/rules/rule-set.ts'
import { systemClock } from '../../../src/platform/clock.ts'
import { createOutbound, type OutboundSettings } from '../../../src/platform/outbound/outbound.ts'
import { ALWAYS_LIVE } from '../clients/always-live.ts'

/** The rules of an engagement, from lines such as `allow 10.0.0.0/8`. */
export const rulesOf = (...lines: string[]): CurrentRules => {
  const rules = lines.map((line, index) => {
    const [effect = '', pattern = ''] = line.split(' ')
    return {
      id: `rule-${index}`,
      effect: effect as Effect,
      kind: pattern.startsWith('*.') ? ('wildcard' as const) : ('ip' as const),
      pattern,
    }
  })
  return { rules: compileRules(rules), stop: null, outsideHours: null }
}

interface Settings extends Partial<Omit<ScanNetworkOptions, 'outbound' | 'connections'>> {
  /** The rules of the engagement; may be changed during the test. */
  rules?: CurrentRules
  egress?: Partial<OutboundSettings>
  maxConnections?: number
}

export interface TestReach {
  reach: ScanNetwork
  rules: CurrentRules
  operations: ScanOperation[]
  /** The reasons why it was stopped. */
  stops: string[]
  cancel(): void
}

/** A real outbound module that may reach loopback, and its reports. */
export const testReach = ({
  rules = rulesOf(),
  egress = {},
  maxConnections = 100,
  ...options
}: Settings = {}): TestReach => {
  const operations: ScanOperation[] = []
  const stops: string[] = []
  const controller = new AbortController()
  const settings: OutboundSettings = {
    PORT: 1,
    METRICS_PORT: undefined,
    FRONTEND_URL: 'https://sortie.example.com',
    ALLOWED_HOSTS: undefined,
    DATABASE_URL: undefined,
    REDIS_URL: undefined,
    SMTP_URL: undefined,
    OTEL_EXPORTER_OTLP_ENDPOINT: undefined,
    DNS_SERVERS: undefined,
    EGRESS_ALLOW: ['127.0.0.0/8', '::1'],
    EGRESS_DENY: undefined,
    ...egress,
  }
  const found = { rules }
  const reach = createScanNetwork({
    outbound: createOutbound(settings, ALWAYS_LIVE),
    clock: systemClock,
    rulesNow: () => found.rules,
    connections: createConnections(maxConnections),
    onOperation: (operation) => operations.push(operation),
    stop: (reason) => {
      stops.push(reason)
      controller.abort(new Error(reason))
    },
    signal: controller.signal,
    override: false,
    ...options,
  })
  return {
    reach,
    operations,
    stops,
    get rules() {
      return found.rules
    },
    set rules(changed) {
      found.rules = changed
    },
    cancel: () => controller.abort(new Error('cancelled')),
  }
}

/** Everything that a scanner finds. */
export const allOf = async (found: AsyncIterable<Found>): Promise<Found[]> => {
  const all: Found[] = []
  for await (const each of found) all.push(each)
  return all
}

export const sightingsIn = (found: readonly Found[]) =>
  found.flatMap((each) => (each.type === 'sighting' ? [each.sighting] : []))
export const coverageIn = (found: readonly Found[]) =>
  found.flatMap((each) => (each.type === 'coverage' ? [each.coverage] : []))
export const logIn = (found: readonly Found[]) => found.flatMap((each) => (each.type === 'log' ? [each.text] : []))
export const skippedIn = (found: readonly Found[]) =>
  found.flatMap((each) => (each.type === 'skipped' ? [`${each.host}: ${each.reason}`] : []))
