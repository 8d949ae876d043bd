import type { Data } from './merging.ts'
import { plainName } from './passing.ts'

/** By these a server tells browsers to protect whoever reads a page. */
const OF_PAGES = ['content-security-policy', 'permissions-policy', 'referrer-policy']

/**
 * The data of an HTTP response with the security headers that it lacks, where its headers are known: what is asked of every
 * answer, and more of a page. Headers of any tool count, and follow each change of them.
 */
export const withMissingHeaders = (data: Data): Data => {
  const { headers, url, status, contentType } = data
  if (typeof headers !== 'object' || headers === null) return data
  const sent = new Map(Object.entries(headers).map(([name, value]) => [plainName(name), String(value)]))
  const isRedirect = typeof status === 'number' && status >= 300 && status < 400
  const isPage = !isRedirect && /html/i.test(typeof contentType === 'string' ? contentType : (sent.get('content-type') ?? ''))
  // A policy of which only the beginning is kept may say it in the rest.
  const isFramed = !sent.has('x-frame-options') && !/frame-ancestors|\(cut\)$/i.test(sent.get('content-security-policy') ?? '')
  const missing = [
    ...(String(url).startsWith('https:') ? ['strict-transport-security'] : []),
    ...(isRedirect ? [] : ['x-content-type-options']),
    ...(isPage ? OF_PAGES : []),
  ].filter((name) => !sent.has(name))
  return { ...data, missingHeaders: [...missing, ...(isPage && isFramed ? ['x-frame-options'] : [])].toSorted() }
}
