import { isIP } from 'node:net'
import type { LibraryTextValue } from '@sortie/contract/findings/library-fields.ts'

const MAX_FOUND = 200
const MIN_KNOWN = 3

/** Reserved for documentation (RFC 2606, RFC 5737) or the machine itself. */
const RESERVED_HOST = /(?:^|\.)(?:example|test|invalid|localhost|example\.com|example\.net|example\.org)$/
const RESERVED_ADDRESS = /^(?:192\.0\.2|198\.51\.100|203\.0\.113|127\.0\.0|0\.0\.0)\./
/** Endings of files, which look like hosts. */
const FILE_ENDINGS = new Set(
  'md txt js ts py php htm html xml json yml yaml css exe dll sh conf ini log jsp asp aspx cs java'.split(' '),
)

/**
 * Finds what seems to belong to a client: known names and hosts, and everything that looks like an address or a host.
 *
 * @param known names, hosts and addresses of the client and its engagement
 * @returns as they are written in the texts, without duplicates
 */
export const findClientData = (texts: readonly LibraryTextValue[], known: readonly string[]): string[] => {
  const written = texts.map(({ references, ...sections }) => Object.values(sections).join('\n')).join('\n')
  const references = texts.flatMap((text) => text.references).join('\n')
  const whole = `${written}\n${references}`.toLowerCase()
  const named = known.filter((name) => name.length >= MIN_KNOWN && whole.includes(name.toLowerCase()))
  const looksLikeOne = written
    .split(/[^\p{L}\p{N}_.@:-]+/u)
    .map(trimmed)
    .filter(isNotable)
  return [...new Set([...named, ...looksLikeOne])].slice(0, MAX_FOUND)
}

/** A word without the marks at its ends. */
const trimmed = (word: string): string => word.replace(/^[.:@-]+/, '').replace(/[.:@-]$/, '')

const isNotable = (word: string): boolean => {
  const version = isIP(word)
  if (version === 4) return !RESERVED_ADDRESS.test(word)
  if (version === 6) return word !== '::1'
  const host = (word.includes('@') ? word.slice(word.indexOf('@') + 1) : word).split(':')[0]?.toLowerCase() ?? ''
  const labels = host.split('.')
  const last = labels.at(-1) ?? ''
  // The last part of a name has letters only: 2.0 is a version, e.g. an abbreviation.
  if (labels.length < 2 || labels.includes('') || last.length < 2 || !/^[a-z]+$/.test(last)) return false
  return !FILE_ENDINGS.has(last) && !RESERVED_HOST.test(host)
}
