import { type Exchange, fittingEvidence, joinedExchanges } from '../merge/evidence.ts'
import { canonicalUrl, MAX_VALUE_LENGTH } from './canonical.ts'
import { cleanLine, cleanLines, cleanText } from './clean.ts'
import type { Severity } from './severities.ts'
import { type Disposition, type Sighting, sighting, InvalidSighting } from './sightings.ts'

export interface VulnerabilitySeen {
  /** Name of the format: rules of two tools may share an id. */
  tool: string
  ruleId: unknown
  asset: string
  host?: string | undefined
  askedName?: string | undefined
  address?: string | undefined
  protocol?: string | undefined
  port?: number | undefined
  location?: unknown
  /** Set if `location` is not a URL. */
  url?: string | undefined
  matcher?: unknown
  title?: unknown
  severity: Severity | null
  judgement?: Disposition | null
  passed?: boolean
  /** Fields that distinguish findings of the tool; replaces rule, asset, location and matcher. */
  discriminators?: readonly string[] | undefined
  /** Matchers and locations by which an older version of Sortie identified it. */
  formerly?: readonly { location?: unknown; matcher?: unknown }[]
  description?: unknown
  solution?: unknown
  references?: unknown
  cve?: unknown
  cwe?: unknown
  cvssVector?: unknown
  cvssScore?: number | undefined
  request?: unknown
  response?: unknown
  /** Set if there are several; the first is also in `request` and `response`. */
  exchanges?: readonly { request?: unknown; response?: unknown }[] | undefined
  /** All texts are kept: one finding may show in several ways. */
  evidence?: readonly unknown[] | undefined
  confidence?: unknown
}

/** Numbers have four digits or more (CVE record format 5.1); shorter ones are kept as the tool writes them. */
const CVE = /CVE-\d{4}-\d{1,19}/gi
const CWE_NUMBER = /^(?:CWE-)?(\d{1,6})\b/i

export const vulnerabilitySighting = (seen: VulnerabilitySeen): Sighting => {
  const ruleId = cleanLine(seen.ruleId) ?? cleanLine(seen.title)
  if (ruleId === undefined) throw new InvalidSighting('the finding has neither rule nor title')
  const location = cleanLine(seen.location, MAX_VALUE_LENGTH + 1)
  const matcher = cleanLine(seen.matcher)
  const tupleOf = (of: { location?: unknown; matcher?: unknown }) => [
    seen.tool,
    ruleId,
    seen.asset,
    cleanLine(of.location, MAX_VALUE_LENGTH + 1) ?? null,
    cleanLine(of.matcher) ?? null,
  ]
  const score = seen.cvssScore !== undefined && seen.cvssScore >= 0 && seen.cvssScore <= 10 ? seen.cvssScore : undefined
  return sighting({
    kind: 'vulnerability',
    tuple: seen.discriminators ? [seen.tool, 'told', ...seen.discriminators] : tupleOf(seen),
    formerly: (seen.formerly ?? []).map(tupleOf),
    asset: seen.asset,
    host: seen.host ?? null,
    askedName: seen.askedName,
    address: seen.address,
    url: seen.url ?? canonicalUrl(location ?? '')?.href,
    ...(seen.protocol !== undefined && { protocol: seen.protocol }),
    port: seen.port ?? null,
    title: cleanLine(seen.title) ?? ruleId,
    severity: seen.severity,
    judgement: seen.judgement ?? null,
    passed: seen.passed ?? false,
    data: {
      ruleId,
      location,
      matcher,
      description: cleanText(seen.description),
      solution: cleanText(seen.solution),
      references: cleanLines(seen.references, /[\s,]+/),
      cve: cvesOf(seen.cve),
      cwe: cwesOf(seen.cwe),
      cvssVector: cleanLine(seen.cvssVector),
      cvssScore: score,
      request: cleanText(seen.request),
      response: cleanText(seen.response),
      exchanges: exchangesOf(seen.exchanges),
      evidence: fittingEvidence(
        (seen.evidence ?? []).map((text) => cleanText(text)).filter((text) => text !== undefined),
      ),
      confidence: cleanLine(seen.confidence),
    },
  })
}

const exchangesOf = (exchanges: VulnerabilitySeen['exchanges'] = []): Exchange[] | undefined =>
  joinedExchanges(
    {
      exchanges: exchanges.map(({ request, response }) => ({
        request: cleanText(request),
        response: cleanText(response),
      })),
    },
    {},
  )

/** CVE numbers anywhere in a text or a list. */
const cvesOf = (value: unknown): string[] => {
  const found = cleanLines(value, /[\s,;]+/).flatMap((line) => line.match(CVE) ?? [])
  return [...new Set(found.map((cve) => cve.toUpperCase()))].slice(0, 500)
}

/** Drops values that are not CWE numbers. */
const cwesOf = (value: unknown): string[] => {
  const entries = typeof value === 'number' ? [String(value)] : cleanLines(value, /[\s,;]+/)
  const numbers = entries
    .map((line) => CWE_NUMBER.exec(line)?.[1])
    .filter((number) => number !== undefined && Number(number) > 0)
  return [...new Set(numbers.map((number) => `CWE-${Number(number)}`))]
}

export const componentSighting = (seen: {
  purl?: unknown
  type?: unknown
  group?: unknown
  name: unknown
  version?: unknown
  licenses?: unknown
}): Sighting => {
  const [purl, type, group, name, version] = [seen.purl, seen.type, seen.group, seen.name, seen.version].map((value) =>
    cleanLine(value, MAX_VALUE_LENGTH + 1),
  )
  if (name === undefined) throw new InvalidSighting('the component has no name')
  const full = group === undefined ? name : `${group}/${name}`
  return sighting({
    kind: 'component',
    tuple: purl === undefined ? ['named', type ?? null, group ?? null, name, version ?? null] : ['purl', purl],
    asset: purl ?? (version === undefined ? full : `${full}@${version}`),
    title: version === undefined ? full : `${full} ${version}`,
    data: { name: full, version, purl, licenses: cleanLines(seen.licenses, '\n') },
  })
}
