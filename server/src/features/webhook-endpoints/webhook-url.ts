import { invalid } from '../../platform/errors.ts'
import { parseHost } from '../../platform/outbound/addresses.ts'
import { isOpened } from '../../platform/outbound/entries.ts'

/**
 * Validates the address of an endpoint. Without TLS it must be an address, not a name, that EGRESS_ALLOW opens.
 *
 * @returns its canonical spelling
 * @throws ApiError VALIDATION_ERROR
 */
export const checkedUrl = (text: string, allow: readonly string[] = []): string => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') throw invalid('url: must start with https://')
  if (url.username !== '' || url.password !== '') throw invalid('url: must have no user name and no password')
  if (url.hash !== '') throw invalid('url: must have no fragment')
  const host = parseHost(url.hostname)
  if (host === undefined) throw invalid('url: must name a host')
  if (url.protocol === 'http:' && !isOpened(host, Number(url.port) || 80, allow))
    throw invalid('url: must start with https://, unless it names an address that EGRESS_ALLOW opens')
  return url.href
}
