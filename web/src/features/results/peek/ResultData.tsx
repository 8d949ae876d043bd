import { Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { Properties } from '../../../ui/lists/Properties.tsx'
import { Markdown } from '../../../ui/text/Markdown.tsx'
import { isHandWritten, type Result } from '../labels.ts'
import classes from '../results.module.css'
import { DataParts, partsOf } from './DataParts.tsx'

/** Shown elsewhere in the preview. */
const ELSEWHERE = new Set(['location'])
/** Texts with more characters, or with several lines, get their own block. */
const LONG = 200
/** Text for people. Everything else that is long is what systems and tools put out, character by character. */
const PROSE = new Set([
  'description',
  'solution',
  'impact',
  'remediation',
  'synopsis',
  'summary',
  'insight',
  'detection',
  'analysis',
  'analystNotes',
  'comment',
  'workaround',
  'affected',
  'background',
  'detail',
  'details',
  'references',
])
/** Description first, then what to do about it; what else there is keeps its order. */
const placeOf = (name: string): number =>
  name === 'description' ? 0 : name === 'impact' ? 1 : name === 'solution' ? 2 : 3
const WORDS: Record<string, string> = {
  cve: 'CVE',
  cwe: 'CWE',
  cpe: 'CPE',
  os: 'Operating system',
  osAccuracy: 'OS accuracy',
  mac: 'MAC address',
  url: 'URL',
  ttl: 'TTL',
  purl: 'Package URL',
  sha256: 'SHA-256',
  bodySha256: 'SHA-256 of the body',
  jarm: 'JARM',
  sha1: 'SHA-1',
  asn: 'Autonomous system',
  cdn: 'Content delivery network',
  epss: 'EPSS',
  vpr: 'VPR',
  wasc: 'WASC',
  curl: 'cURL command',
  cvss2Score: 'CVSS 2 score',
  cvss2Vector: 'CVSS 2 vector',
  tlsVersions: 'TLS versions',
  namesInCsp: 'Names in the CSP',
  codeFlows: 'Code flows',
  columns: 'Other columns',
  analysis: 'Analysis (VEX)',
  http2: 'HTTP/2',
  vhost: 'Virtual host',
  cvssVector: 'CVSS vector',
  cvssScore: 'CVSS score',
  ruleId: 'Rule',
}

/**
 * Data of a result under the field names of its kind. Rendered as plain text only: it comes from files and systems of
 * third parties.
 */
export const ResultData = ({ result }: { result: Result }) => {
  // The single request and response are also among the exchanges.
  const isRepeated = (name: string) =>
    (name === 'request' || name === 'response') && Array.isArray(result.data['exchanges'])
  const all = Object.entries(result.data).filter(
    ([name, value]) => !ELSEWHERE.has(name) && !isNothing(value) && !isRepeated(name),
  )
  const structured = all.flatMap(([name, value]) => partsOf(name, value))
  const known = all.filter(([name, value]) => partsOf(name, value).length === 0)
  const texts = known.map(([name, value]) => [name, toText(value)] as const)
  // What a person wrote is laid out even where it is one line.
  const isBlock = (name: string, text: string) => isLong(text) || (PROSE.has(name) && isHandWritten(result))
  const short = texts.filter(([name, text]) => !isBlock(name, text))
  const long = texts
    .filter(([name, text]) => isBlock(name, text))
    .toSorted(([one], [other]) => placeOf(one) - placeOf(other))
  const location = toText(result.data['location'])
  const facts: (readonly [string, ReactNode])[] = [
    ...(location ? ([['Location', <code key="location">{location}</code>]] as const) : []),
    ...short.map(([name, text]) => [wordsOf(name), text] as const),
  ]
  return (
    <>
      {facts.length > 0 && <Properties items={facts} />}
      {long.map(([name, text]) => (
        <section key={name} aria-label={wordsOf(name)}>
          <Title order={3} size="h5" mb={6}>
            {wordsOf(name)}
          </Title>
          <LongText name={name} text={text} isMarkdown={isHandWritten(result)} />
        </section>
      ))}
      {structured.map((group) => (
        <DataParts key={group.title} {...group} />
      ))}
    </>
  )
}

/**
 * People write Markdown. The text of a tool is shown as it is: read as Markdown, `..\\share` and `*.example.com` would
 * lose characters.
 */
const LongText = ({ name, text, isMarkdown }: { name: string; text: string; isMarkdown: boolean }) => {
  if (PROSE.has(name))
    return isMarkdown && name !== 'references' ? <Markdown text={text} /> : <p className={classes.prose}>{text}</p>
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls is reached by keyboard
    <pre className={classes.block} tabIndex={0}>
      {text}
    </pre>
  )
}

const isNothing = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)

const isLong = (text: string): boolean => text.length > LONG || text.includes('\n')

const toText = (value: unknown): string => {
  if (value === undefined || value === null) return ''
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value))
    return value
      .map(toText)
      .join(value.some((part) => typeof part === 'object' || toText(part).length > 60) ? '\n' : ', ')
  if (typeof value === 'object') return JSON.stringify(value, null, 2)
  return `${value as string | number}`
}

/** `notBefore` → `Not before` */
const wordsOf = (name: string): string => {
  const words = name.replace(/([A-Z])/g, ' $1').toLowerCase()
  return WORDS[name] ?? `${words[0]?.toUpperCase() ?? ''}${words.slice(1)}`
}
