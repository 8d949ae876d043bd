import type { Data } from '../../inventory/merge/merge.ts'
import { plainName } from '../../inventory/merge/volatile-fields.ts'

/** Headers by which a server tells browsers to protect the readers of a page. */
const OF_PAGES = ['content-security-policy', 'permissions-policy', 'referrer-policy']

/**
 * Adds the missing security headers to the data of an HTTP response whose headers are known. Some are required of every
 * response, others only of pages. Headers from any tool count, and the list follows each change of them.
 */
export const withMissingHeaders = (data: Data): Data => {
  const { headers, url, status, contentType } = data
  if (typeof headers !== 'object' || headers === null) return data
  const sent = new Map(Object.entries(headers).map(([name, value]) => [plainName(name), String(value)]))
  const isRedirect = typeof status === 'number' && status >= 300 && status < 400
  const isPage =
    !isRedirect && /html/i.test(typeof contentType === 'string' ? contentType : (sent.get('content-type') ?? ''))
  // A policy that was cut may contain `frame-ancestors` in the lost part.
  const isFramed =
    !sent.has('x-frame-options') && !/frame-ancestors|\(cut\)$/i.test(sent.get('content-security-policy') ?? '')
  const missing = [
    ...(String(url).startsWith('https:') ? ['strict-transport-security'] : []),
    ...(isRedirect ? [] : ['x-content-type-options']),
    ...(isPage ? OF_PAGES : []),
  ].filter((name) => !sent.has(name))
  return { ...data, missingHeaders: [...missing, ...(isPage && isFramed ? ['x-frame-options'] : [])].toSorted() }
}
