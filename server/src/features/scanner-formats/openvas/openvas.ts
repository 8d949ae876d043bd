import type { Severity } from '@sortie/contract/core/values.ts'
import { severityOfScore } from '@sortie/contract/inventory/cvss.ts'
import type { Coverage } from '../../inventory/coverage/coverage.ts'
import {
  canonicalHost,
  canonicalName,
  canonicalPort,
  canonicalProtocol,
  hostAndPort,
} from '../../inventory/sightings/canonical.ts'
import { cleanNumber } from '../../inventory/sightings/clean.ts'
import { vulnerabilitySighting } from '../../inventory/sightings/finding-sightings.ts'
import { severityOf } from '../../inventory/sightings/severities.ts'
import {
  type Disposition,
  hostSighting,
  requireHost,
  type Sighting,
  serviceSighting,
} from '../../inventory/sightings/sightings.ts'
import { CoverageTracker } from '../fields/coverage-tracker.ts'
import { probeBetween } from '../fields/probes.ts'
import { itemsOf, UnknownFields } from '../readers/records.ts'
import { childOf, childrenOf, type Element, fieldsIn, readXml, textOf } from '../readers/xml.ts'
import type { Format, Item } from '../registry/format.ts'
import { type Shown, shownBy, shownByBoth } from './openvas-filter.ts'

/** Reports are nested in reports, and those in protocol responses, so only the end of a path is compared. */
const isResult = (path: string): boolean =>
  path.endsWith('report/results/result') || path === 'get_results_response/result'
const isHost = (path: string): boolean => path.endsWith('report/host')
/** The list of failed or timed-out rules; some reports have them among the results. */
/** An open port of a host, with the worst severity there. */
const isPort = (path: string): boolean => path.endsWith('report/ports/port')
const isError = (path: string): boolean => path.endsWith('report/errors/error')

/** The filter of the report. */
const isFilter = (path: string): boolean => path.endsWith('report/filters/term')

/**
 * The number of results, and of filtered ones; a response may have several reports. A page, the default of the protocol,
 * shows fewer.
 */
const isCount = (path: string): boolean => path.endsWith('report/result_count')

/** Answers of the protocol with reports in them. */
const ENVELOPES = new Set(['commands_response', 'envelope'])

/**
 * XML of OpenVAS and Greenbone. It covers the hosts that the report lists, except rules with an error there. A page of
 * a report gives no coverage, and a filter limits it to the included severities.
 */
export const openvas: Format = {
  id: 'openvas',
  name: 'OpenVAS and Greenbone XML report',
  recognisedBy:
    'XML whose root is report, get_reports_response or get_results_response, with a task, results or a report format in it',
  knowsCoverage: true,
  statedTimes: () => ({
    patterns: [/<scan_(?:start|end)>([^<]{1,40})</g, /<(?:start|end)>([^<]{1,40})</g, /<timestamp>([^<]{1,40})</g],
  }),
  isIn: (head) =>
    head.shape === 'xml' &&
    ((head.root === 'get_reports_response' && hasReport(head)) ||
      head.root === 'get_results_response' ||
      (ENVELOPES.has(head.root) && head.text.includes('<get_reports_response')) ||
      (head.root === 'report' && /<(?:report_format|results|task|scan_run_status)[\s>]/.test(head.text))),
  read: readOpenvas,
}

/** False for the answer to a wrong request, and for a report in another format, which is in base64. */
const hasReport = ({ attributes, text }: { attributes: Record<string, string>; text: string }): boolean =>
  !/^[45]/.test(attributes['status'] ?? '') && !isOtherReport(text)

/** True for the answer with a PDF, CSV or text. */
export const isOtherReport = (text: string): boolean => {
  const start = text.indexOf('<report ')
  const type = /content_type="([^"]{1,100})"/.exec(start < 0 ? '' : text.slice(start, text.indexOf('>', start)))?.[1]
  return type !== undefined && !type.includes('xml')
}

/** By default, results without a severity are excluded. */
const LEFT_OUT_SELDOM: readonly Severity[] = ['low', 'medium', 'high']

/** Of a result. Overrides and the delta are part of its severity, and its task and report are those of the file. */
const FIELDS = new Set(
  `name owner modification_time comment creation_time detection host port path nvt scan_nvt_version threat severity qod description
  original_threat original_severity notes overrides asset report task user_tags compliance`.split(/\s+/),
)

async function* readOpenvas(text: AsyncIterable<string>): AsyncGenerator<Item> {
  const unknown = new UnknownFields(FIELDS)
  let report = new Report()
  for await (const event of readXml(text, (path) =>
    [isResult, isHost, isPort, isFilter, isCount, isError].some((isWanted) => isWanted(path)),
  )) {
    if (event.type === 'error') {
      report.isDamaged = true
      yield { type: 'cut', reason: event.reason }
    } else if (event.type === 'open') {
      // A response may hold several reports; each one's coverage is separate.
      if (event.element.name !== 'report') continue
      yield* report.finish()
      report = new Report()
    } else {
      if (isResult(event.path)) unknown.count(fieldsIn(event.element))
      yield* report.read(event.element, event.path)
    }
  }
  yield* report.finish()
  yield* unknown.warnings()
}

/** Collects the coverage of one report until its end: hosts may come before or after the results. */
class Report {
  isDamaged = false
  readonly #looked = new CoverageTracker()
  #count = 0
  #all = 0
  #shown: Shown = 'all';

  *read(element: Element, path: string): Generator<Item> {
    if (isHost(path)) {
      const host = canonicalHost(textOf(element, 'ip') ?? element.text)
      if (host === undefined) return
      this.#looked.begin(host)
      const probe = probeBetween(host, textOf(element, 'start'), textOf(element, 'end'))
      if (probe) yield { type: 'probe', probe }
      yield* itemsOf(`line ${element.line}`, element, (each) => [reportedHost(each, host)])
    } else if (isPort(path)) yield* itemsOf(`line ${element.line}`, element, portSightings)
    else if (isError(path)) {
      const coverage = notLookedAt(element)
      if (coverage) yield { type: 'coverage', coverage }
      // An error without a host may affect any host.
      else this.isDamaged = true
    } else if (isFilter(path)) this.#shown = shownByBoth(this.#shown, shownBy(element.text))
    else if (isCount(path)) this.#all += cleanNumber(textOf(element, 'filtered') ?? element.text) ?? 0
    else {
      this.#count++
      for (const item of itemsOf(`line ${element.line}`, element, resultSightings)) {
        this.isDamaged ||= item.type === 'rejection'
        yield item
      }
    }
  }

  *finish(): Generator<Item> {
    const shown = this.#shown
    if (this.isDamaged || this.#count < this.#all) yield* this.#looked.leaveOut()
    else if (shown === undefined)
      yield {
        type: 'warning',
        text: 'The report was filtered, so results that it does not contain are not marked as gone.',
      }
    else if (shown === 'all') yield* this.#looked.finish()
    else {
      const left = LEFT_OUT_SELDOM.filter((severity) => !shown.includes(severity))
      if (left.length > 0)
        yield {
          type: 'warning',
          text: `The report was filtered: findings of severity ${left.join(', ')} are not marked as gone.`,
        }
      yield* this.#looked.finish(shown)
    }
  }
}

/**
 * A rule's error excludes the rule at its host; an error without a rule, such as a host that died, excludes the host.
 */
const notLookedAt = (error: Element): Coverage | undefined => {
  const host = canonicalHost(childOf(error, 'host')?.text ?? '')
  const ruleId = childOf(error, 'nvt')?.attributes['oid']?.trim()
  return host === undefined
    ? undefined
    : { what: 'nothing', host, ruleId: ruleId === '0' || ruleId === '' ? undefined : ruleId }
}

function* resultSightings(result: Element): Generator<Sighting | Item> {
  const element = childOf(result, 'host')
  const host = requireHost(element?.text)
  const name = canonicalName(textOf(element, 'hostname') ?? '')
  const { port, protocol } = portIn(textOf(result, 'port') ?? '')
  const nvt = childOf(result, 'nvt')
  const score = cleanNumber(textOf(result, 'severity'))
  const coverage = saysError(score, textOf(result, 'threat')) ? notLookedAt(result) : undefined
  if (coverage) yield { type: 'coverage', coverage }
  const weight = weightOf(score, textOf(result, 'threat'), cleanNumber(textOf(result, 'original_severity')))
  if (!weight) return
  yield vulnerabilitySighting({
    tool: 'openvas',
    ruleId: nvt?.attributes['oid'] || textOf(result, 'name'),
    asset: port === undefined ? host : `${hostAndPort(host, port)}/${protocol}`,
    host,
    askedName: name,
    protocol: port === undefined ? undefined : protocol,
    port,
    title: textOf(nvt, 'name') ?? textOf(result, 'name'),
    ...weight,
    severityWord: weight.disposition === undefined ? textOf(result, 'threat') : undefined,
    description: tagsIn(nvt).get('summary') ?? textOf(result, 'description'),
    impact: tagsIn(nvt).get('impact'),
    solution: textOf(nvt, 'solution') ?? tagsIn(nvt).get('solution'),
    references: [...refsIn(nvt, 'url'), ...((textOf(nvt, 'xref') ?? '').match(/https?:\/\/[^\s,"']{1,2000}/g) ?? [])],
    cve: [...refsIn(nvt, 'cve'), ...(textOf(nvt, 'cve') ?? '').split(',')],
    cvssVector: vectorIn(nvt) ?? tagsIn(nvt).get('cvss_base_vector'),
    cvssScore: score,
    evidence: [textOf(result, 'description'), originalIn(result, score)],
    more: factsIn(result, nvt),
  })
}

/** What the scanner knows of a finding in addition to its description; notes are those of an analyst. */
const factsIn = (result: Element, nvt: Element | undefined) => {
  const tags = tagsIn(nvt)
  const epss = childOf(childOf(nvt, 'epss'), 'max_epss') ?? childOf(childOf(nvt, 'epss'), 'max_severity')
  return {
    insight: tags.get('insight'),
    affected: tags.get('affected'),
    detection: tags.get('vuldetect'),
    family: textOf(nvt, 'family'),
    solutionType: childOf(nvt, 'solution')?.attributes['type'] ?? tags.get('solution_type'),
    qualityOfDetection: cleanNumber(textOf(childOf(result, 'qod'), 'value')),
    detectedBy: textOf(childOf(result, 'qod'), 'type'),
    certs: [
      ...refsIn(nvt, 'cert-bund'),
      ...refsIn(nvt, 'dfn-cert'),
      ...childrenOf(childOf(nvt, 'cert'), 'cert_ref').map(({ attributes }) => attributes['id'] ?? ''),
    ],
    epss: cleanNumber(textOf(epss, 'score')),
    analystNotes: childrenOf(childOf(result, 'notes'), 'note')
      .map((note) => textOf(note, 'text') ?? '')
      .join('\n\n'),
  }
}

/** The vector of the newest version of CVSS. */
const vectorIn = (nvt: Element | undefined): string | undefined =>
  childrenOf(childOf(nvt, 'severities'), 'severity')
    .map((severity) => textOf(severity, 'value') ?? '')
    .filter((vector) => vector.startsWith('CVSS:'))
    .toSorted()
    .at(-1)

const reportedHost = (element: Element, host: string): Sighting => {
  const details = Map.groupBy(childrenOf(element, 'detail'), (detail) => textOf(detail, 'name') ?? '')
  const values = (name: string) => (details.get(name) ?? []).flatMap((detail) => textOf(detail, 'value') ?? [])
  return hostSighting({
    host,
    up: true,
    hostnames: values('hostname'),
    os: values('best_os_txt')[0] ?? values('OS').find((os) => !os.startsWith('cpe:')),
    cpe: [...values('best_os_cpe'), ...values('App')],
    mac: values('MAC')[0],
    traceroute: values('traceroute')
      .flatMap((hops) => hops.split(','))
      .map((hop, index) => `${index + 1}  ${hop}`)
      .join('\n'),
  })
}

/** `general/tcp` is not a port. */
function* portSightings(element: Element): Generator<Sighting> {
  const { port, protocol } = portIn(element.text)
  const host = canonicalHost(textOf(element, 'host') ?? '')
  if (port !== undefined && host !== undefined)
    yield serviceSighting({ host, protocol: canonicalProtocol(protocol) ?? 'tcp', port })
}

/** `443/tcp`, `http (80/tcp)`; `general/tcp` is not a port. */
const portIn = (written: string): { port: number | undefined; protocol: string } => {
  const found = /(\d{1,5})\/(\w{2,8})/.exec(written)
  return { port: canonicalPort(found?.[1]), protocol: canonicalProtocol(found?.[2]) ?? 'tcp' }
}

/** The severity before an override. */
const originalIn = (result: Element, score: number | undefined): string | undefined => {
  const original = cleanNumber(textOf(result, 'original_severity'))
  return original === undefined || original === score ? undefined : `severity before an override: ${original}`
}

/**
 * Uses the number, or without one the word. -1 is a false positive, usually by an override: its severity is the
 * original one. Other negative numbers are messages of the scanner, not findings.
 *
 * @param original the number before an override
 */
export const weightOf = (
  score: number | undefined,
  threat: string | undefined,
  original?: number,
): { severity: Severity | null; disposition?: Disposition } | undefined => {
  const word = threat?.trim().toLowerCase()
  const isFalsePositive = score === undefined ? word === 'false positive' : score === -1
  if (isFalsePositive)
    return {
      severity: original === undefined || original < 0 ? null : severityOfScore(original),
      disposition: 'false_positive',
    }
  if (score === undefined) return word === 'error' || word === 'debug' ? undefined : { severity: severityOf(threat) }
  return score < 0 ? undefined : { severity: severityOfScore(score) }
}

/** -3 is an error: the rule timed out or failed. */
const saysError = (score: number | undefined, threat: string | undefined): boolean =>
  score === undefined ? threat?.trim().toLowerCase() === 'error' : score === -3

const tagsIn = (nvt: Element | undefined): Map<string, string> =>
  new Map(
    (textOf(nvt, 'tags') ?? '').split('|').map((tag): [string, string] => {
      const equals = tag.indexOf('=')
      return [tag.slice(0, equals), tag.slice(equals + 1)]
    }),
  )

const refsIn = (nvt: Element | undefined, type: string): string[] =>
  childrenOf(childOf(nvt, 'refs'), 'ref')
    .filter(({ attributes }) => attributes['type'] === type)
    .map(({ attributes }) => attributes['id'] ?? '')
