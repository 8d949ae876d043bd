import { Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { Properties } from '../../../ui/lists/Properties.tsx'
import { Markdown } from '../../../ui/text/Markdown.tsx'
import { isHandWritten, type Result } from '../labels.ts'
import classes from '../results.module.css'

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
  'affected',
  'background',
  'detail',
  'details',
  'references',
])
/** Description first, then what to do about it; what else there is keeps its order. */
const placeOf = (name: string): number => (name === 'description' ? 0 : name === 'solution' ? 1 : 2)
const WORDS: Record<string, string> = {
  cve: 'CVE',
  cwe: 'CWE',
  cpe: 'CPE',
  os: 'Operating system',
  mac: 'MAC address',
  url: 'URL',
  ttl: 'TTL',
  purl: 'Package URL',
  sha256: 'SHA-256',
  bodySha256: 'SHA-256 of the body',
  cvssVector: 'CVSS vector',
  cvssScore: 'CVSS score',
  ruleId: 'Rule',
}

/**
 * Data of a result under the field names of its kind. Rendered as plain text only: it comes from files and systems of third
 * parties.
 */
export const ResultData = ({ result }: { result: Result }) => {
  const known = Object.entries(result.data).filter(([name, value]) => !ELSEWHERE.has(name) && !isNothing(value))
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
    </>
  )
}

/**
 * People write Markdown. The text of a tool is shown as it is: read as Markdown, `..\\share` and `*.example.com` would lose
 * characters.
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
      .join(
        value.some(isExchange)
          ? '\n\n----\n\n'
          : value.some((part) => typeof part === 'object' || toText(part).length > 60)
            ? '\n'
            : ', ',
      )
  if (isExchange(value)) return [value.request, value.response].filter(Boolean).join('\n\n')
  if (typeof value === 'object') return JSON.stringify(value, null, 2)
  return `${value as string | number}`
}

/** A request with its response. */
const isExchange = (value: unknown): value is { request?: string; response?: string } =>
  typeof value === 'object' &&
  value !== null &&
  ('request' in value || 'response' in value) &&
  Object.values(value).every((part) => typeof part === 'string')

/** `notBefore` → `Not before` */
const wordsOf = (name: string): string => {
  const words = name.replace(/([A-Z])/g, ' $1').toLowerCase()
  return WORDS[name] ?? `${words[0]?.toUpperCase() ?? ''}${words.slice(1)}`
}
