import type { Output } from '@sortie/client/calls.ts'
import type { Scan } from '../../domain/scan-states.tsx'
import { formatTime } from '../../ui/dates/dates.ts'

export type Scanner = Output<'listScanners'>['data'][number]
export type Schedule = Output<'listScanSchedules'>['data'][number]
export type Step = Scan['scanners'][number]
export type ScannerId = Step['id']
export type ScanTargets = Scan['targets']

const SCANNER_LABELS: Record<ScannerId, string> = { dns: 'DNS', ports: 'Ports', http: 'HTTP', tls: 'TLS', nmap: 'nmap' }

export const TRIGGER_LABELS: Record<Scan['trigger'], string> = {
  manual: 'By hand',
  schedule: 'By a schedule',
  key: 'With an API key',
}

const NUMBER = new Intl.NumberFormat('en')

/** `DNS → Ports → HTTP` */
export const describeSteps = (steps: readonly Step[]): string => steps.map(({ id }) => SCANNER_LABELS[id]).join(' → ')

/** `Ports: top-100, 200 a second` */
export const describeStep = ({ id, options = {} }: Step): string => {
  const described = Object.entries(options).map(([name, value]) => describeOption(name, value))
  return described.length === 0 ? SCANNER_LABELS[id] : `${SCANNER_LABELS[id]}: ${described.join(', ')}`
}

const describeOption = (name: string, value: unknown): string => {
  const text = Array.isArray(value) ? value.join(' ') : String(value)
  switch (name) {
    case 'rate':
      return `${text} a second`
    case 'timeoutMs':
      return `timeout ${text} ms`
    case 'addTargets':
      return value === true ? 'adds to the targets' : 'does not add targets'
    case 'followRedirects':
      return value === true ? 'follows redirects' : 'does not follow redirects'
    default:
      return text
  }
}

const OPTION_LABELS: Record<string, string> = {
  types: 'Records',
  addTargets: 'Add what is found and in scope to the targets',
  ports: 'Ports',
  rate: 'Connections a second',
  timeoutMs: 'Timeout in milliseconds',
  followRedirects: 'Follow redirects',
  profile: 'Profile',
}

export const optionLabel = (name: string): string => OPTION_LABELS[name] ?? name

/** Targets of a scan, in one line. */
export const describeTargets = ({ ids, filter, diff }: ScanTargets): string => {
  if (ids) return ids.length === 1 ? 'One chosen target' : `${NUMBER.format(ids.length)} chosen targets`
  if (diff) return `Targets with ${diff.changes.join(' or ')} results since ${momentInWords(diff.from)}`
  const { engagementId: _, ...filters } = filter ?? {}
  const parts = Object.entries(filters).map(
    ([name, value]) =>
      `${FILTER_LABELS[name] ?? name}: ${Array.isArray(value) ? value.map(inWords).join(', ') : inWords(value)}`,
  )
  return parts.length === 0 ? 'All targets' : `Targets with ${parts.join('; ')}`
}

const FILTER_LABELS: Record<string, string> = { verdict: 'scope', tag: 'tag', kind: 'kind', q: 'text' }

/** Verdicts as words of a sentence; other values stay unchanged. */
const VALUE_WORDS: Record<string, string> = { in: 'in scope', out: 'out of scope', caution: 'caution' }

const inWords = (value: unknown): string => VALUE_WORDS[String(value)] ?? String(value)

const momentInWords = (moment: string): string => {
  if (moment.startsWith('imp_')) return 'an import'
  return moment.startsWith('scn_') ? 'another scan' : formatTime(moment)
}
