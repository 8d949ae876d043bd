import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'
import { type AddressRange, parseSingle, rangeText } from './address-range.ts'

/** Why a text cannot be a target or a rule, and what to write instead, if known. */
export interface Refusal {
  refused: string
}

export const refuse = (refused: string): Refusal => ({ refused })

export const isRefusal = (result: object): result is Refusal => 'refused' in result

/** A name in its ASCII form, or one address. */
export interface Host {
  host: string | AddressRange
  /** Canonical; IPv6 without brackets. */
  text: string
}

const MAX_NAME = 253
const MAX_LABEL = 63
/** Before the conversion to ASCII, which joins and drops code points. */
const MAX_RAW_NAME = 1_000
const LABEL = /^[a-z0-9_-]+$/
/** Characters that URL parsers treat as the end of a host or as white space, or decode: never part of a name. */
const NOT_IN_NAMES = /[\s/\\?#@%:[\]<>^|"'`,;(){}$&=+!~]/
/** Browsers parse a name whose last label looks like this as an address. */
const NUMERIC_END = /(?:^|\.)(?:[0-9]{1,40}|0[xX][0-9a-fA-F]{0,40})\.?$/

/**
 * Parses a host strictly: names by UTS 46 in lower case without the final dot, addresses only in their canonical form.
 * Spellings that programs parse in different ways (`127.1`, `0177.0.0.1`, full-width digits) are refused.
 */
export const parseHost = (text: string): Host | Refusal => {
  const bare = text.startsWith('[') && text.endsWith(']') ? text.slice(1, -1) : text
  const address = isIP(bare) === 4 && bare !== text ? undefined : parseSingle(bare)
  if (address) return { host: address, text: rangeText(address) }
  if (text.includes('*')) return refuse('a wildcard is a scope rule')
  if (isIP(bare) === 6)
    return refuse(
      'an address of one link (with %) cannot be reached from elsewhere; write it without the part from % on',
    )
  return parseName(text)
}

const parseName = (text: string): Host | Refusal => {
  if (text === '') return refuse('the name is missing')
  if (text.length > MAX_RAW_NAME) return refuse(`a name has at most ${MAX_NAME} characters`)
  if (NOT_IN_NAMES.test(text)) return refuse('this is neither a name nor an address')
  const ascii = domainToASCII(text)
  const isAddress = isIP(ascii.replace(/\.$/, '')) === 4
  if (isAddress)
    return refuse(
      `an address is written as four decimal numbers; programs read this one in different ways, browsers as ${ascii}`,
    )
  if (NUMERIC_END.test(text))
    return refuse(
      'this is not an address, and a name does not end in a number; write an address as four decimal numbers',
    )
  if (ascii === '') return refuse('this is not a host name')
  const name = ascii.endsWith('.') ? ascii.slice(0, -1) : ascii
  if (name.length > MAX_NAME) return refuse(`a name has at most ${MAX_NAME} characters`)
  const problem = name.split('.').map(labelProblem).find(Boolean)
  return problem ? refuse(problem) : { host: name, text: name }
}

const labelProblem = (label: string): string | undefined => {
  if (label === '') return 'a part of the name between two dots is empty'
  if (label.length > MAX_LABEL) return `a part of a name has at most ${MAX_LABEL} characters`
  if (!LABEL.test(label)) return 'a name has letters, digits, hyphens and underscores'
  return label.startsWith('-') || label.endsWith('-') ? 'no part of a name begins or ends with a hyphen' : undefined
}
