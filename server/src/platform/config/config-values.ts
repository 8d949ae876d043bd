import { Resolver } from 'node:dns'
import { readdirSync, readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { SCOPE_NAMES, type Scope } from '@sortie/contract/core/scopes.ts'
import { currentUser } from '@sortie/embedded-postgres/users.ts'
import { MIN_SECRET_LENGTH, secretsIn } from '../crypto.ts'
import { type Entry, EntryError } from '../outbound/entries.ts'
import { isSingleLine, parseEmail, parseLine } from '../text/text.ts'

/** An error in a variable's text; the message completes "NAME: ...". */
export class Wrong extends Error {}

export const isLoopback = (host: string): boolean =>
  host === 'localhost' ||
  host.endsWith('.localhost') ||
  /^127(\.\d{1,3}){3}$/.test(host) ||
  host === '::1' ||
  host === '[::1]'

export const text = (text: string) => text
export const choice =
  <const W extends readonly string[]>(...words: W) =>
  (text: string): W[number] => {
    if (!words.includes(text)) throw new Wrong(`must be one of ${words.join(', ')}`)
    return text
  }
export const integer = (min: number, max: number) => (text: string) => {
  if (!/^\d{1,12}$/.test(text) || Number(text) < min || Number(text) > max) {
    throw new Wrong(`must be a whole number from ${min} to ${max}`)
  }
  return Number(text)
}
const MIN_MEMORY_MB = 16
/** Megabytes, at most half of the memory of this machine, or of its container. */
export const memoryMb = (text: string): number => {
  const limit = process.constrainedMemory()
  const all = limit > 0 ? Math.min(limit, os.totalmem()) : os.totalmem()
  return integer(MIN_MEMORY_MB, Math.max(MIN_MEMORY_MB, Math.floor(all / 2 / 1024 ** 2)))(text)
}
/** Whole numbers of seconds, separated by commas. */
export const secondsList = (text: string): number[] => text.split(',').map((entry) => integer(1, 604_800)(entry.trim()))
export const url =
  (...protocols: string[]) =>
  (text: string) => {
    if (!URL.canParse(text) || !protocols.includes(new URL(text).protocol)) {
      throw new Wrong(
        `must be an address that starts with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
      )
    }
    return text
  }
const withoutTrailingSlashes = (text: string): string => {
  let end = text.length
  while (text[end - 1] === '/') end--
  return text.slice(0, end)
}
export const origin = (text: string) => {
  url('http:', 'https:')(text)
  const parsed = new URL(text)
  if (parsed.search || parsed.hash || parsed.username)
    throw new Wrong('must be an address without query, fragment or user')
  return withoutTrailingSlashes(text)
}
/**
 * Host names and addresses without a port, as browsers write them in `Host`: lower case, Punycode, IPv6 in brackets.
 */
export const hostNames = (text: string): string[] =>
  text.split(',').map((entry) => {
    const name = entry.trim().replace(/^\[(.*)\]$/, '$1')
    const isIPv6 = isIP(name) === 6
    const address = isIPv6 ? `http://[${name}]/` : `http://${name.replace(/\.$/, '')}/`
    if ((!isIPv6 && !/^[\p{L}\p{N}._-]+$/u.test(name)) || !URL.canParse(address)) {
      throw new Wrong(
        'must be a list of host names or addresses without ports, such as sortie.example.com,192.0.2.10, separated by commas',
      )
    }
    return new URL(address).hostname
  })
export const hostOf = (address: string | undefined) =>
  address && URL.canParse(address) ? new URL(address).hostname : 'localhost'
/** Comma-separated entries, all of which must be valid. */
const listOf = (isRight: (entry: string) => boolean, problem: string) => (text: string) => {
  const entries = text.split(',').map((entry) => entry.trim())
  if (!entries.every(isRight)) throw new Wrong(problem)
  return entries
}
export const directory = (text: string) => path.resolve(text)
/** An existing directory with at least one pair of files such as `de_DE.aff` and `de_DE.dic`. */
export const dictionaries = (text: string) => {
  const root = path.resolve(text)
  let names: string[]
  try {
    names = readdirSync(root)
  } catch {
    throw new Wrong('must be a directory that this user can read')
  }
  if (!names.some((name) => name.endsWith('.aff') && names.includes(`${name.slice(0, -'.aff'.length)}.dic`)))
    throw new Wrong('must be a directory with Hunspell dictionaries, such as de_DE.aff and de_DE.dic')
  return root
}
export const line = (maxLength: number) => (text: string) => {
  const value = parseLine(text, maxLength)
  if (value === undefined) throw new Wrong(`must be one line of 1 to ${maxLength} characters`)
  return value
}
export const email = (text: string) => {
  const address = parseEmail(text)
  if (!address) throw new Wrong('must be an email address')
  return address.email
}
export const password = (text: string) => {
  const length = [...text].length
  if (length < 12 || length > 128) throw new Wrong('must have 12 to 128 characters')
  return text
}
export const secret = (text: string) => {
  if (text.length < MIN_SECRET_LENGTH) throw new Wrong(`must have at least ${MIN_SECRET_LENGTH} characters`)
  return text
}
/** One secret, or two separated by a comma during rotation. The error counts the parts, and shows none of them. */
export const rotatedSecret = (text: string) => {
  const parts = secretsIn(text)
  if (parts.length === 1) return secret(text)
  if (parts.length > 2)
    throw new Wrong(
      `has ${parts.length} values separated by commas; it takes one, or two during rotation, and a value has no comma`,
    )
  const names = ['the first value (new, before the comma)', 'the second value (former, after the comma)'] as const
  const short = names.filter((_, index) => (parts[index] as string).length < MIN_SECRET_LENGTH)
  if (short.length > 0)
    throw new Wrong(
      `${short.join(' and ')} must have at least ${MIN_SECRET_LENGTH} characters; a comma separates two values, so a value has none`,
    )
  return text
}
export const yesOrNo = (text: string) => choice('true', 'false')(text) === 'true'
/** An address that receives secrets: must be encrypted, or this machine itself. */
export const providerUrl = (text: string) => {
  const address = origin(text)
  const { protocol, hostname } = new URL(address)
  if (protocol === 'http:' && !isLoopback(hostname))
    throw new Wrong('must be an address that starts with https://; http:// is allowed only for loopback')
  return address
}
export const WORKOS_API_URL = 'https://api.workos.com'
export const workosUrl = (text: string) => {
  const address = providerUrl(text)
  if (address !== WORKOS_API_URL && !isLoopback(new URL(address).hostname))
    throw new Wrong(`must be ${WORKOS_API_URL}, or an address on loopback for tests`)
  return address
}
export const roleMap = listOf(
  (rule) => /^.+=[a-z0-9-]+:(?:admin|member)$/.test(rule),
  'must be a list such as consultants=acme:member,leads=acme:admin',
)
export const engagementScope = (text: string): Scope | '*' => choice('*', ...SCOPE_NAMES)(text)
export const addressRanges = listOf((range) => {
  const [address = '', bits] = range.split('/')
  const version = isIP(address)
  return version !== 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128)))
}, 'must be a list of addresses or ranges of trusted proxies, such as 10.0.0.0/8, separated by commas')

export const nameServers = (text: string): string[] => {
  const servers = text.split(',').map((server) => server.trim())
  try {
    new Resolver().setServers(servers)
  } catch {
    throw new Wrong(
      'must be a list of addresses of name servers, such as 192.0.2.53 or 127.0.0.1:5353, separated by commas',
    )
  }
  return servers
}

export const egressEntries =
  (parse: (text: string) => Entry) =>
  (text: string): string[] => {
    const entries = text.split(',').map((entry) => entry.trim())
    try {
      for (const entry of entries) parse(entry)
    } catch (error) {
      throw error instanceof EntryError ? new Wrong(error.message) : error
    }
    return entries
  }

/** Words separated by commas. */
export const names = listOf(
  (name) => /^[a-z][a-z0-9-]{0,59}$/.test(name),
  'must be names like `import`, separated by commas',
)

export const signingSecrets = (text: string): string[] => {
  const secrets = text.split(',')
  if (secrets.length > 2) throw new Wrong('must be one secret, or two separated by a comma during rotation')
  for (const secret of secrets) {
    if (secret.length < 8) throw new Wrong('must have at least 8 characters')
    if (secret !== secret.trim() || !isSingleLine(secret))
      throw new Wrong('must not contain control characters, nor begin or end with a space')
  }
  return secrets
}
export const moment = (text: string): string => {
  const parts = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2})$/.exec(text)
  const epochMs = Date.parse(text)
  // The parser reads 30 February as 2 March: the date must survive a round trip.
  const day = Date.parse(`${parts?.[1]}T00:00:00Z`)
  if (!parts || Number.isNaN(epochMs) || !new Date(day).toISOString().startsWith(parts[1] as string)) {
    throw new Wrong('must be a time with its zone, such as 2027-06-30T00:00:00Z')
  }
  return new Date(epochMs).toISOString()
}
const origins = listOf(
  (origin) => /^https?:\/\/[^*]+$/.test(origin) && URL.canParse(origin) && new URL(origin).origin === origin,
  'must be `*` or a list of origins as browsers send them, such as https://app.example.com, separated by commas',
)
export const corsOrigins = (text: string): '*' | string[] => (text === '*' ? '*' : origins(text))

/** Why a file cannot be read; completes "NAME: ...". */
export const unreadable = (file: string, error: unknown): string => {
  const { code = '' } = error as NodeJS.ErrnoException
  const absolute = path.resolve(file)
  if (code === 'ENOENT') return `${absolute} does not exist`
  return `${absolute} cannot be read by user ${currentUser()} (${code})`
}

/**
 * Reads a variable, or for a secret the content of the file that `NAME_FILE` names; undefined if neither is set.
 *
 * @throws Wrong for a file that cannot be read
 */
export const readVariable = (
  env: Record<string, string | undefined>,
  name: string,
  isSecret = false,
): string | undefined => {
  if (env[name]) return env[name]
  const file = isSecret ? env[`${name}_FILE`] : undefined
  if (!file) return undefined
  try {
    return readFileSync(file, 'utf8').replace(/\r?\n$/, '')
  } catch (error) {
    throw new Wrong(`${name}_FILE: ${unreadable(file, error)}`)
  }
}
