import type { Severity } from '@sortie/contract/core/values.ts'
import { severityOfScore } from '@sortie/contract/inventory/cvss.ts'
import { canonicalHost, canonicalUrl } from '../../inventory/sightings/canonical.ts'
import { cleanNumber } from '../../inventory/sightings/clean.ts'
import { vulnerabilitySighting } from '../../inventory/sightings/finding-sightings.ts'
import type { Sighting } from '../../inventory/sightings/sightings.ts'
import { originOf } from '../../inventory/sightings/web-sightings.ts'
import { type Interest, readDocument } from '../readers/json-document.ts'
import { type Fields, itemsOf, listOf, objectOf, textIn, UnknownFields } from '../readers/records.ts'
import { rejection } from '../readers/rejections.ts'
import { type Format, type Item, UnreadableFile } from '../registry/format.ts'
import { codeFlowsIn, codeIn, cwesOf, exchangeIn, furtherPlaces, solutionOf, wordsOf } from './sarif-evidence.ts'
import { discriminatorsOf } from './sarif-identity.ts'
import { formerRuleIds, type Rules, ruleOf } from './sarif-rules.ts'

const ENTERED = new Set([
  '',
  'runs',
  'runs.*',
  'runs.*.results',
  'runs.*.tool',
  'runs.*.tool.driver',
  'runs.*.tool.driver.rules',
  'runs.*.tool.extensions',
])
const WHOLE = new Set([
  'runs.*.results.*',
  'runs.*.tool.name',
  'runs.*.tool.driver.name',
  'runs.*.tool.driver.version',
  'runs.*.tool.driver.semanticVersion',
  'runs.*.tool.driver.rules.*',
  'runs.*.tool.extensions.*',
  'runs.*.artifacts',
  'runs.*.originalUriBaseIds',
  'runs.*.webRequests',
  'runs.*.webResponses',
])
/**
 * Results wait for the tool, rules and artifacts of their run. Above this number the file is read ahead, because those
 * may come after all results.
 */
const MAX_WAITING = 20_000

const interestIn = (path: string): Interest => (ENTERED.has(path) ? 'enter' : WHOLE.has(path) ? 'whole' : 'skip')

/** Versions before 2.1 have other names for places, messages and rules, and a name of the tool without a driver. */
const OLD =
  'this is SARIF 1.0 or 2.0: set the tool to write SARIF 2.1.0, or convert the file with Sarif.Multitool (sarif transform), and import that'

/** SARIF 2.1.0 (OASIS). */
export const sarif: Format = {
  id: 'sarif',
  name: 'SARIF 2.1',
  recognisedBy: 'JSON with runs, and version or $schema',
  knowsCoverage: false,
  statedTimes: () => ({ patterns: [/"(?:start|end)TimeUtc"\s{0,5}:\s{0,5}"([^"\\]{1,40})"/g] }),
  // The version may come after runs of many megabytes.
  isIn: (head) =>
    head.shape === 'json' &&
    head.keys.has('runs') &&
    (head.keys.has('version') ||
      head.keys.has('$schema') ||
      (head.isCut && /"(?:driver|results)"\s{0,20}:/.test(head.text))),
  read: (text, _, { again }) => readSarif(text, again),
}

/** Properties of a result that are read, or only concern the tool (section 3.27). */
const FIELDS = new Set(
  `ruleId ruleIndex rule kind level message analysisTarget locations guid correlationGuid occurrenceCount partialFingerprints fingerprints codeFlows
  relatedLocations suppressions baselineState rank hostedViewerUri provenance fixes taxa webRequest webResponse properties`.split(
    /\s+/,
  ),
)

interface Run extends Rules {
  tool: string
  version: string | undefined
  /** True once the tool and its rules are read; without them a result would have another fingerprint. */
  isToolKnown: boolean
  artifacts: Fields[]
  baseIds: Fields
  webRequests: Fields[]
  webResponses: Fields[]
  /** Results that come before the other parts of their run. */
  waiting: { position: string; result: Fields }[]
}

const newRun = (): Run => ({
  tool: 'sarif',
  version: undefined,
  isToolKnown: false,
  rules: [],
  extensions: [],
  artifacts: [],
  baseIds: {},
  webRequests: [],
  webResponses: [],
  waiting: [],
})

async function* readSarif(text: AsyncIterable<string>, again: () => AsyncIterable<string>): AsyncGenerator<Item> {
  const unknown = new UnknownFields(FIELDS)
  let run = newRun()
  let index = 0
  let ahead: Run[] | undefined
  for await (const event of readDocument(text, interestIn)) {
    if (event.type === 'error') {
      yield* endOfRun(run)
      yield { type: 'cut', reason: `line ${event.line}: ${event.reason}` }
    } else if (event.type === 'value') {
      if (event.path === 'runs.*.tool.name') throw new UnreadableFile(OLD)
      if (!ahead) note(run, event.path, event.value)
      if (event.path !== 'runs.*.results.*') continue
      unknown.count(objectOf(event.value))
      run.waiting.push({ position: `line ${event.line}`, result: objectOf(event.value) })
      if (run.waiting.length < MAX_WAITING) continue
      ahead ??= await readAhead(again())
      const { waiting } = run
      run = { ...(ahead[index] ?? run), waiting }
      yield* endOfRun(run)
    } else if (event.type === 'close' && event.path === 'runs.*.tool') run.isToolKnown = true
    else if (event.type === 'close' && event.path === 'runs.*') {
      yield* resultItems(run)
      index++
      run = ahead?.[index] ?? newRun()
    }
  }
  yield* unknown.warnings()
}

/** Reads the runs without their results. */
const readAhead = async (text: AsyncIterable<string>): Promise<Run[]> => {
  const runs: Run[] = []
  let run = newRun()
  const interest = (path: string) => (path === 'runs.*.results' ? 'skip' : interestIn(path))
  for await (const event of readDocument(text, interest)) {
    if (event.type === 'open' && event.path === 'runs.*') {
      run = newRun()
      runs.push(run)
    } else if (event.type === 'value') note(run, event.path, event.value)
    else if (event.type === 'close' && (event.path === 'runs.*.tool' || event.path === 'runs.*')) run.isToolKnown = true
  }
  return runs
}

/** Without a tool name, results of a run that is cut off would be attributed to another tool. */
function* endOfRun(run: Run): Generator<Item> {
  if (run.isToolKnown) yield* resultItems(run)
  else
    for (const { position } of run.waiting.splice(0))
      yield rejection(position, '', 'the file ends before it names the tool of this result')
}

const note = (run: Run, path: string, value: unknown): void => {
  if (path === 'runs.*.tool.driver.name') run.tool = textIn(value) ?? run.tool
  else if (path === 'runs.*.tool.driver.version') run.version = textIn(value) ?? run.version
  else if (path === 'runs.*.tool.driver.semanticVersion') run.version ??= textIn(value)
  else if (path === 'runs.*.tool.driver.rules.*') run.rules.push(objectOf(value))
  else if (path === 'runs.*.tool.extensions.*') run.extensions.push(objectOf(value))
  else if (path === 'runs.*.artifacts') run.artifacts = listOf(value).map(objectOf)
  else if (path === 'runs.*.originalUriBaseIds') run.baseIds = objectOf(value)
  else if (path === 'runs.*.webRequests') run.webRequests = listOf(value).map(objectOf)
  else if (path === 'runs.*.webResponses') run.webResponses = listOf(value).map(objectOf)
}

function* resultItems(run: Run): Generator<Item> {
  yield { type: 'tool', name: run.tool, version: run.version }
  const passed = run.waiting.filter(({ result }) => result['kind'] === 'pass').length
  if (passed > 0) yield { type: 'warning', text: `Checks of ${run.tool} that passed and are not findings: ${passed}.` }
  const not = run.waiting.filter(({ result }) => result['kind'] === 'notApplicable').length
  if (not > 0) yield { type: 'warning', text: `Checks of ${run.tool} that do not apply and are not findings: ${not}.` }
  for (const { position, result } of run.waiting.splice(0))
    yield* itemsOf(position, result, () => resultSightings(run, result))
}

function* resultSightings(run: Run, result: Fields): Generator<Sighting> {
  const { kind } = result
  if (kind === 'notApplicable') return
  // A result of an earlier run that this one no longer found (section 3.27.24).
  const passed = kind === 'pass' || result['baselineState'] === 'absent'
  const rule = ruleOf(run, result)
  const ruleId = textIn(result['ruleId']) ?? textIn(objectOf(result['rule'])['id']) ?? textIn(rule['id'])
  const message = messageOf(result['message'], rule)
  const first = objectOf(listOf(result['locations'])[0])
  const { asset, location } = placeByNuclei(run, result, message) ?? placeIn(run, first)
  const former = formerPlace(run, first, { asset, location })
  const discriminatorsAt = (at: { asset: string; location: string | undefined }, id = ruleId ?? '') =>
    discriminatorsOf(result, { ruleId: id, asset: at.asset, location: at.location ?? '', message: message ?? '' })
  const exchange = exchangeIn(result, run.webRequests, run.webResponses)
  const where = (other: Fields) => placeIn(run, other).location
  const url = canonicalUrl(asset)
  const properties = { ...objectOf(rule['properties']), ...objectOf(result['properties']) }
  const score = cleanNumber(properties['security-severity'])
  yield vulnerabilitySighting({
    tool: `sarif/${run.tool}`,
    ruleId: ruleId ?? message,
    discriminators: discriminatorsAt({ asset, location }),
    formerly: [
      { location },
      ...formerRuleIds(rule, ruleId ?? '').map((id) => ({ discriminators: discriminatorsAt({ asset, location }, id) })),
      ...(former ? [{ discriminators: discriminatorsAt(former) }, former] : []),
    ],
    passed,
    asset,
    host: url && canonicalHost(url.hostname),
    url: url?.href,
    location,
    title: titleIn(run, rule) ?? ruleId ?? message,
    severity: passed ? null : score === undefined ? severityOfLevel(result, rule) : severityOfScore(score),
    disposition: isSuppressed(result) ? 'accepted' : null,
    description: [message, wordsOf(rule['fullDescription'])].filter(Boolean).join('\n\n'),
    solution: solutionOf(result, rule),
    references: [rule['helpUri'], result['hostedViewerUri']].map(textIn),
    cwe: cwesOf(result, rule),
    cve: ruleId,
    cvssScore: score,
    ...exchange,
    codeFlows: codeFlowsIn(result, where),
    evidence: codeIn(result),
    more: {
      locations: furtherPlaces(result, where),
      precision: properties['precision'],
      occurrences: cleanNumber(result['occurrenceCount']),
      package: properties['package'] ?? properties['packageName'] ?? properties['pkgName'],
      tags: listOf(properties['tags']).filter((tag) => !/cwe/i.test(textIn(tag) ?? '')),
    },
  })
}

/** nuclei describes a rule by the first site where it was found. */
const titleIn = (run: Run, rule: Fields): string | undefined => {
  const [name, short] = [textIn(rule['name']), textIn(objectOf(rule['shortDescription'])['text'])]
  return run.tool.toLowerCase() === 'nuclei' ? (name ?? short) : (short ?? name)
}

/** nuclei names the site only in its messages, and its export drops a slash from each URL in the locations. */
const placeByNuclei = (
  run: Run,
  result: Fields,
  message: string | undefined,
): { asset: string; location: string | undefined } | undefined => {
  if (run.tool.toLowerCase() !== 'nuclei') return undefined
  const site = canonicalUrl(/ found on (\S{1,2000})\s*$/.exec(message ?? '')?.[1] ?? '')
  if (!site) return undefined
  const written = textIn(objectOf(objectOf(listOf(result['locations'])[0])['message'])['text'])
  const matched = canonicalUrl(written?.replace(/^(https?):\/(?=[^/])/i, '$1://') ?? '')
  return { asset: originOf(site), location: matched?.origin === site.origin ? matched.href : undefined }
}

/** False if one of several suppressions is under review or rejected (section 3.27.23). */
const isSuppressed = (result: Fields): boolean => {
  const statuses = listOf(result['suppressions']).map((suppression) => objectOf(suppression)['status'] ?? 'accepted')
  return statuses.length > 0 && statuses.every((status) => status === 'accepted')
}

const LEVELS = new Map<string, Severity>(
  Object.entries({ error: 'high', warning: 'medium', note: 'low', none: 'info' }),
)

/**
 * The result's own level; else for a failure its rule's level, else warning; results that are not failures have none
 * (section 3.27.10).
 */
const severityOfLevel = (result: Fields, rule: Fields): Severity | null => {
  const ofRule =
    (result['kind'] ?? 'fail') === 'fail' ? textIn(objectOf(rule['defaultConfiguration'])['level']) : 'none'
  const level = textIn(result['level']) ?? ofRule ?? 'warning'
  return LEVELS.get(level) ?? null
}

/** Returns a location: file, line and column, or the name of an element in a program. A result may have none. */
const placeIn = (run: Run, location: Fields, uriIn = uriOf): { asset: string; location: string | undefined } => {
  const physical = objectOf(location['physicalLocation'])
  const uri = uriIn(run, objectOf(physical['artifactLocation']))
  const region = objectOf(physical['region'])
  const [line, column] = [cleanNumber(region['startLine']), cleanNumber(region['startColumn'])]
  if (uri !== undefined)
    return {
      asset: uri,
      location: [uri, line, line === undefined ? undefined : column].filter((part) => part !== undefined).join(':'),
    }
  const logical = objectOf(listOf(location['logicalLocations'])[0])
  const name = textIn(logical['fullyQualifiedName']) ?? textIn(logical['name'])
  return { asset: name ?? run.tool, location: name }
}

/**
 * Resolves a URI, given directly or as an index of the run's artifacts, relative to an absolute or named base (section
 * 3.4).
 */
const uriOf = (run: Run, reference: Fields): string | undefined => {
  const index = cleanNumber(reference['index'])
  const actual =
    textIn(reference['uri']) === undefined && index !== undefined
      ? objectOf(run.artifacts[index]?.['location'])
      : reference
  const uri = textIn(actual['uri'])
  if (uri === undefined) return undefined
  const base = baseOf(run, textIn(actual['uriBaseId']))
  if (base === undefined || URL.canParse(uri)) return uri
  return URL.canParse(base) ? new URL(uri, base).href : base.replace(/^\.\//, '') + uri
}

const MAX_BASES = 10

/**
 * A base may be relative to another one; the machine's own folder at the end of such a chain is left out (section
 * 3.14.14).
 */
const baseOf = ({ baseIds }: Run, name: string | undefined): string | undefined => {
  let written = ''
  let at = name
  for (let followed = 0; at !== undefined && Object.hasOwn(baseIds, at) && followed < MAX_BASES; followed++) {
    const base: Fields = objectOf(baseIds[at])
    const uri = textIn(base['uri'])
    if (uri !== undefined && URL.canParse(uri))
      return written === '' ? uri : uri.startsWith('file:') ? written : new URL(written, uri).href
    written = (uri ?? '') + written
    at = textIn(base['uriBaseId'])
  }
  return written === '' ? undefined : written
}

/** The place as versions before 2026-12 wrote it, without relative bases; undefined if it is the same. */
const formerPlace = (run: Run, location: Fields, now: { asset: string; location: string | undefined }) => {
  const former = placeIn(run, location, (_, reference) => {
    const index = cleanNumber(reference['index'])
    const actual =
      textIn(reference['uri']) === undefined && index !== undefined
        ? objectOf(run.artifacts[index]?.['location'])
        : reference
    const uri = textIn(actual['uri'])
    const base = textIn(objectOf(run.baseIds[textIn(actual['uriBaseId']) ?? ''])['uri'])
    return uri !== undefined && base !== undefined && URL.canParse(base) && !URL.canParse(uri)
      ? new URL(uri, base).href
      : uri
  })
  return former.asset === now.asset && former.location === now.location ? undefined : former
}

/** Returns the message's own text, or the rule's template with its arguments (section 3.11). */
const messageOf = (value: unknown, rule: Fields): string | undefined => {
  const message = objectOf(value)
  const ofRule = objectOf(objectOf(rule['messageStrings'])[textIn(message['id']) ?? ''])
  const text =
    textIn(message['text']) ?? textIn(message['markdown']) ?? textIn(ofRule['text']) ?? textIn(ofRule['markdown'])
  const list = listOf(message['arguments']).map((argument) => textIn(argument) ?? '')
  return text?.replace(/\{(\d{1,3})\}/g, (written, index: string) => list[Number(index)] ?? written)
}
