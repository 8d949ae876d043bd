import { invalid } from '../../../../platform/errors.ts'
import { requireHost } from '../../secrets.ts'

/** An address as it is sent. */
export interface Address {
  /** As the URL Standard parses it: with `.` and `..` resolved. */
  url: URL
  /**
   * Without the query, encoded as in `url`, and with `.`, `..` and their encoded forms as they are written: how a
   * server reads them is what testers want to see.
   */
  path: string
}

/** In characters. */
export const MAX_URL = 65_536

/** Origin, path, and the rest. */
const PARTS = /^(https?:\/\/[^/\\?#]*)([^?#]*)(.*)$/is

/** @throws ApiError VALIDATION_ERROR for a value that is not an http or https address, or contains credentials */
export const parseAddress = (text: string): Address => {
  if (text.length > MAX_URL) throw invalid(`url: must have at most ${MAX_URL} characters once its variables are put in`)
  requireHost(text)
  if (!/^https?:\/\//i.test(text)) throw invalid('url: must begin with http:// or https://')
  const address = readAddress(text)
  if (!address) throw invalid('url: must be an absolute URL')
  if (address.url.username || address.url.password) throw invalid('url: must not contain credentials; use auth')
  return address
}

/** @returns undefined for a value that is not an http or https address */
export const readAddress = (text: string): Address | undefined => {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return undefined
  const url = new URL(text)
  url.hash = ''
  return { url, path: writtenPath(text, url) }
}

/**
 * The parser encodes a path and resolves its dot segments in one go. With a letter at the beginning of every segment
 * there is none to resolve. A path that would not resolve to the one of `url` is not used: the checked path is the one
 * that is sent.
 */
const writtenPath = (text: string, url: URL): string => {
  const [, origin = '', path = '', rest = ''] = PARTS.exec(text) ?? []
  const marked = `${origin}${path.replace(/[/\\]/g, '/x')}${rest}`
  if (!URL.canParse(marked)) return url.pathname
  const written = new URL(marked).pathname.replaceAll('/x', '/')
  const read = `${url.origin}${written}`
  return URL.canParse(read) && new URL(read).pathname === url.pathname ? written : url.pathname
}

/** Adds pairs to the query of an address, as they are encoded when it is sent. */
export const addQuery = (url: URL, encoded: string): void => {
  if (encoded !== '') url.search = url.search ? `${url.search}&${encoded}` : encoded
}

export const addressText = ({ url, path }: Address): string => `${url.origin}${path}${url.search}`
