import type { Severity } from '@sortie/contract/core/values.ts'
import { cleanNumber } from '../../inventory/sightings/clean.ts'
import { vulnerabilitySighting } from '../../inventory/sightings/finding-sightings.ts'
import { severityOf } from '../../inventory/sightings/severities.ts'
import type { Sighting } from '../../inventory/sightings/sightings.ts'
import { documentParts } from '../readers/document-parts.ts'
import { type Fields, itemsOf, listOf, objectOf, textIn, UnknownFields } from '../readers/records.ts'
import type { Format, Item } from '../registry/format.ts'

/** JSON of Semgrep and Opengrep (`--json`). */
export const semgrep: Format = {
  id: 'semgrep',
  name: 'Semgrep JSON',
  recognisedBy: 'JSON with results, errors and paths',
  knowsCoverage: false,
  statedTimes: () => ({}),
  isIn: (head) =>
    head.shape === 'json' &&
    head.keys.has('results') &&
    head.keys.has('errors') &&
    (head.keys.has('paths') || head.keys.has('version')),
  read: readSemgrep,
}

/** Of a result, and of its `extra`. */
const FIELDS = new Set(
  `check_id path start end extra metavars message fix fixed_lines lines metadata severity fingerprint is_ignored validation_state
  engine_kind dataflow_trace sca_info historical_info`.split(/\s+/),
)

async function* readSemgrep(text: AsyncIterable<string>): AsyncGenerator<Item> {
  let errors = 0
  const unknown = new UnknownFields(FIELDS)
  for await (const part of documentParts(text, ['results.*', 'errors.*', 'version'])) {
    if (part.type === 'cut') yield part
    else if (part.path === 'version') yield { type: 'tool', version: textIn(part.value) }
    else if (part.path === 'errors.*') errors++
    else {
      const result = objectOf(part.value)
      unknown.count({ ...objectOf(result['extra']), ...result })
      yield* itemsOf(part.position, result, resultSightings)
    }
  }
  yield* unknown.warnings()
  if (errors > 0)
    yield {
      type: 'warning',
      text: `Errors of Semgrep, because of which it may not have examined all files: ${errors}.`,
    }
}

const SEVERITIES = new Map<string, Severity>(Object.entries({ ERROR: 'high', WARNING: 'medium', INFO: 'low' }))

function* resultSightings(result: Fields): Generator<Sighting> {
  const extra = objectOf(result['extra'])
  const metadata = objectOf(extra['metadata'])
  const path = textIn(result['path']) ?? '(no file)'
  const start = objectOf(result['start'])
  const ruleId = textIn(result['check_id'])
  // Without an account Semgrep writes "requires login" in place of some fields.
  const fingerprint = /^\S{16,1000}$/.exec(textIn(extra['fingerprint']) ?? '')?.[0]
  const lines = textIn(extra['lines'])
  yield vulnerabilitySighting({
    tool: 'semgrep',
    ruleId,
    asset: path,
    ...(fingerprint !== undefined && { discriminators: [ruleId ?? '', path, fingerprint] }),
    location: [path, cleanNumber(start['line']), cleanNumber(start['col'])]
      .filter((part) => part !== undefined)
      .join(':'),
    title: ruleId?.split('.').at(-1),
    severity: SEVERITIES.get(textIn(extra['severity']) ?? '') ?? severityOf(extra['severity']),
    severityWord: extra['severity'],
    disposition: extra['is_ignored'] === true ? 'accepted' : null,
    description: extra['message'],
    solution: extra['fix'],
    references: [...listOf(metadata['references']), metadata['source']],
    cwe: [metadata['cwe']].flat().map((cwe) => /CWE-\d{1,6}/.exec(textIn(cwe) ?? '')?.[0]),
    confidence: metadata['confidence'],
    codeFlows: [flowIn(objectOf(extra['dataflow_trace']))],
    evidence: [lines === 'requires login' ? undefined : lines],
  })
}

/** From the source to the sink, one step per line. */
const flowIn = (trace: Fields): string =>
  [trace['taint_source'], ...listOf(trace['intermediate_vars']), trace['taint_sink']]
    .map((step) => placeIn(step))
    .filter(Boolean)
    .join('\n')

/** `["CliLoc", [{path, start}, "code"]]`, or an object with location and content. */
const placeIn = (step: unknown): string => {
  const inner = Array.isArray(step) ? listOf(step[1]) : [objectOf(step)['location'], objectOf(step)['content']]
  const [location, code] = [objectOf(inner[0]), textIn(inner[1])]
  const place = [textIn(location['path']), cleanNumber(objectOf(location['start'])['line'])]
    .filter((part) => part !== undefined)
    .join(':')
  return place === '' ? '' : [place, code].filter(Boolean).join(' ')
}
