import type { Severity } from '@sortie/contract/core/values.ts'
import { type Exchange, fittingEvidence, joinedExchanges } from '../merge/evidence.ts'
import { canonicalUrl, MAX_VALUE_LENGTH } from './canonical.ts'
import { cleanFields, cleanLine, cleanLines, cleanText, listText, MAX_ENTRIES, type MoreFields } from './clean.ts'
import { Limited, limitedTo } from './left-out.ts'
import { unknownSeverityIn } from './severities.ts'
import { type Disposition, type Sighting, sighting, type Verdict, InvalidSighting } from './sightings.ts'

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
  /** The tool's word for it: reported if it is unknown. */
  severityWord?: unknown
  disposition?: Disposition | null
  passed?: boolean
  /** Decides about a known finding, and adds none. */
  verdict?: Verdict | null | undefined
  /** The state that a VEX document gives it, with the reason. */
  analysis?: unknown
  impact?: unknown
  /** A text for each way from a source to a sink, with a line for each step. */
  codeFlows?: readonly unknown[] | undefined
  /** Further fields of the tool. */
  more?: MoreFields | undefined
  /** Fields that distinguish findings of the tool; replaces rule, asset, location and matcher. */
  discriminators?: readonly string[] | undefined
  /** Matchers and locations by which an older version of Sortie identified it. */
  formerly?: readonly { asset?: string; location?: unknown; matcher?: unknown; discriminators?: readonly string[] }[]
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
  const tupleOf = (of: NonNullable<VulnerabilitySeen['formerly']>[number]) =>
    of.discriminators
      ? [seen.tool, 'told', ...of.discriminators]
      : [
          seen.tool,
          ruleId,
          of.asset ?? seen.asset,
          cleanLine(of.location, MAX_VALUE_LENGTH + 1) ?? null,
          cleanLine(of.matcher) ?? null,
        ]
  const score = seen.cvssScore !== undefined && seen.cvssScore >= 0 && seen.cvssScore <= 10 ? seen.cvssScore : undefined
  return sighting({
    kind: 'vulnerability',
    tuple: tupleOf({ ...seen, discriminators: seen.discriminators ?? undefined } as Parameters<typeof tupleOf>[0]),
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
    unknownSeverity: seen.severity === null && !seen.passed ? unknownSeverityIn(seen.severityWord) : null,
    disposition: seen.disposition ?? null,
    passed: seen.passed ?? false,
    verdict: seen.verdict ?? null,
    data: {
      ruleId,
      location,
      matcher,
      description: cleanText(seen.description),
      impact: cleanText(seen.impact),
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
      analysis: cleanText(seen.analysis),
      codeFlows: fittingEvidence(
        (seen.codeFlows ?? []).map((flow) => cleanText(flow)).filter((flow) => flow !== undefined),
      ),
      ...cleanFields(seen.more),
    },
  })
}

const exchangesOf = (exchanges: VulnerabilitySeen['exchanges'] = []): Limited<Exchange[]> | undefined =>
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
const cvesOf = (value: unknown): Limited<string[]> => {
  const texts: unknown[] = Array.isArray(value) ? value : [value]
  const found = texts.flatMap((text) => listText(text).match(CVE) ?? [])
  return limitedTo(MAX_ENTRIES, [...new Set(found.map((cve) => cve.toUpperCase()))])
}

/** Drops values that are not CWE numbers. */
const cwesOf = (value: unknown): Limited<string[]> => {
  const { list, leftOut } = cleanLines(typeof value === 'number' ? String(value) : value, /[\s,;]+/)
  const numbers = list
    .map((line) => CWE_NUMBER.exec(line)?.[1])
    .filter((number) => number !== undefined && Number(number) > 0)
  return new Limited([...new Set(numbers.map((number) => `CWE-${Number(number)}`))], leftOut)
}

export const componentSighting = (seen: {
  purl?: unknown
  type?: unknown
  group?: unknown
  name: unknown
  version?: unknown
  licenses?: unknown
  componentType?: unknown
  supplier?: unknown
  cpe?: unknown
  hashes?: unknown
  more?: MoreFields
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
    data: {
      name: full,
      version,
      purl,
      type: cleanLine(seen.componentType),
      supplier: cleanLine(seen.supplier),
      licenses: cleanLines(seen.licenses, '\n'),
      cpe: cleanLines(seen.cpe),
      hashes: cleanLines(seen.hashes),
      ...cleanFields(seen.more),
    },
  })
}
