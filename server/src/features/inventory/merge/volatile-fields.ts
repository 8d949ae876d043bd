import { isCipherOfTls13 } from '../sightings/certificate-facts.ts'
import type { Data } from './merge.ts'

/** Headers that differ in every response and do not describe the server: times and request ids. */
const VOLATILE_HEADERS = [
  'date',
  'age',
  'expires',
  'server-timing',
  'x-runtime',
  'x-response-time',
  'x-timer',
  'x-envoy-upstream-service-time',
  'x-varnish',
  'x-cache-hits',
  'request-id',
  'x-request-id',
  'x-correlation-id',
  'x-trace-id',
  'x-b3-traceid',
  'traceparent',
  'x-amz-cf-id',
  'x-amz-id-2',
  'x-amz-request-id',
  'x-amz-apigw-id',
  'x-amzn-requestid',
  'x-amzn-trace-id',
  'x-ms-request-id',
  'x-azure-ref',
  'x-github-request-id',
  'x-vercel-id',
  'cf-ray',
]

/** These headers in the output of scripts; for handshakes also the server's time and the salt. */
const VOLATILE_LINES = new Set([...VOLATILE_HEADERS, 'system-time', 'salt'])
const VOLATILE = new Set(VOLATILE_HEADERS)

/** Scripts of nmap that report the server's time. */
const CLOCKS = new Set(['clock-skew', 'http-date', 'ssl-date', 'smb-time', 'smb2-time'])

/** Tools write `X-Request-Id`, `x-request-id` or `x_request_id`. */
export const plainName = (name: string): string => name.toLowerCase().replaceAll('_', '-')

/** Removes volatile headers and volatile parts of values. */
export const withoutVolatileHeaders = (headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => !VOLATILE.has(plainName(name)))
      .map(([name, value]) => [name, withoutVolatileValue(name, value)]),
  )

/**
 * Keeps names and attributes of cookies, which show their protection; drops their values and the nonce of each
 * response.
 */
const withoutVolatileValue = (name: string, value: string): string => {
  if (plainName(name) === 'set-cookie')
    return value.replace(/; ?expires=[^;]{0,100}/gi, '').replace(/(^|, )([^=;, ]+)=[^;,]*/g, '$1$2=…')
  return plainName(name).startsWith('content-security-policy')
    ? value.replace(/'nonce-[^']{1,200}'/g, "'nonce-…'")
    : value
}

/** Their values differ at each look and say nothing of the system; only whether one is known counts. */
const VOLATILE_FIELDS = new Set(['uptime', 'epss', 'vpr', 'traceroute', 'otherPorts'])

/** Removes volatile fields before two sightings are compared. */
export const withoutVolatileFields = (data: Data): Data =>
  Object.fromEntries(
    Object.entries(data)
      // `location` is a part of the fingerprint, or the line of code that may have moved.
      .filter(([field]) => field !== 'ttl' && field !== 'location')
      .map(([field, value]) => [field, withoutVolatileParts(field, value)]),
  )

const TEXTS = new Set(['request', 'response'])

/**
 * Volatile parts of greetings: the server's time, the id of the connection (RFC 1939, APOP), the number of connected
 * users.
 */
const VOLATILE_WORDS =
  /\b\d{1,2}:\d{2}(?::\d{2})?\b|\b\d{4}-\d{2}-\d{2}T?|<[^<>\s@]{1,200}@[^<>\s@]{1,200}>|\buser number \d{1,9} of \d{1,9}/gi
const DATES =
  /\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),? (?:\d{1,2} )?(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\b(?: {1,2}\d{1,2}\b)?(?: \d{4}\b)?/g

/**
 * MySQL and MariaDB greet with version, connection number and salt: only the part up to the version is compared. Tools
 * write non-text bytes as `\x00` or as U+FFFD; masscan puts the kind of banner first.
 */
const DATABASE =
  /^([\w.-]{1,40}: )?(?:[^]|\\x[\dA-F]{2}){1,3}(?:\ufffd|\\x00)(?:\n|\\x0A)((?:5\.5\.5-)?\d{1,2}\.\d{1,3}\.\d{1,3}[\w.+:~-]{0,80})(?:\ufffd|\\x00)[^]*$/i

const withoutVolatileBanner = (banner: string): string =>
  withoutVolatileText(banner.replace(DATABASE, '$1$2')).replace(DATES, '…').replace(VOLATILE_WORDS, '…')

const withoutVolatileParts = (field: string, value: unknown): unknown => {
  if (VOLATILE_FIELDS.has(field)) return '…'
  if (field === 'headers') return withoutVolatileHeaders(value as Record<string, string>)
  if (field === 'scripts') return withoutVolatileScripts(value as Record<string, string>)
  if (field === 'cipher' && isCipherOfTls13(value)) return '…'
  if (field === 'exchanges' && Array.isArray(value))
    return value.map((exchange) => withoutVolatileFields(exchange as Data))
  if (field === 'banner' && typeof value === 'string') return withoutVolatileBanner(value)
  return TEXTS.has(field) && typeof value === 'string' ? withoutVolatileText(value) : value
}

const withoutVolatileScripts = (scripts: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(scripts)
      .filter(([id]) => !CLOCKS.has(id))
      .map(([id, output]) => [id, id === 'banner' ? withoutVolatileBanner(output) : withoutVolatileText(output)]),
  )

/** Removes volatile header lines (`name: value`) anywhere in a text. */
export const withoutVolatileText = (text: string): string =>
  text.replace(/^[ \t]{0,40}([A-Za-z][\w-]{0,60}):([^\r\n]*)/gm, (line, name: string, value: string) =>
    VOLATILE_LINES.has(plainName(name))
      ? ''
      : `${line.slice(0, line.length - value.length)}${withoutVolatileValue(name, value.trimStart())}`,
  )
