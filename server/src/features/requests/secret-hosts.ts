import { isIP } from 'node:net'
import { invalid } from '../../platform/errors.ts'

/**
 * Hosts that secrets may be sent to; `*.` before a name includes all its subdomains. Null: every permitted destination.
 */
export type SecretHosts = readonly string[] | null

/** Secrets that a request uses, with their hosts. */
export interface BoundSecrets {
  /** Display name of the secrets' owner. */
  of: string
  hosts: readonly string[]
}

/** Normalizes and deduplicates hosts. @throws ApiError VALIDATION_ERROR for an invalid host */
export const canonicalHosts = (hosts: SecretHosts): string[] | null =>
  hosts && [
    ...new Set(
      hosts.map((text, index) => {
        const host = canonicalHost(text)
        if (host === undefined)
          throw invalid(
            `hosts.${index}: must be a host name, an address, or *. before a name, without scheme, port and path`,
          )
        return host
      }),
    ),
  ]

const canonicalHost = (text: string): string | undefined => {
  const isBelow = text.startsWith('*.')
  const name = isBelow ? text.slice(2) : text
  const written = isIP(name) === 6 ? `[${name}]` : name
  const url = `http://${written}`
  // Other characters would be parsed as another part of the URL.
  if (!/^(?:\[[\da-fA-F:.]+\]|[^\s:/?#@[\]\\%*]+)$/.test(written) || !URL.canParse(url)) return undefined
  const host = hostOf(new URL(url))
  const isAddress = host.startsWith('[') || isIP(host) !== 0
  return isBelow ? (isAddress ? undefined : `*.${host}`) : host
}

const hostOf = ({ hostname }: URL): string => hostname.replace(/\.$/, '')

const isAmong = (hosts: readonly string[], host: string): boolean =>
  hosts.some((each) => each === host || (each.startsWith('*.') && host.endsWith(each.slice(1))))

/** Returns the secrets that must not be sent to this URL's host. */
export const findRefusing = (all: readonly BoundSecrets[], url: URL): BoundSecrets | undefined =>
  all.find(({ hosts }) => !isAmong(hosts, hostOf(url)))

/**
 * Prevents users from sending a secret that they cannot read to further hosts.
 *
 * @param keepsSecrets true if a stored secret is kept without being entered again
 * @throws ApiError VALIDATION_ERROR
 */
export const requireNoFurther = (before: SecretHosts, after: SecretHosts, keepsSecrets: boolean): void => {
  const goesFurther = before !== null && (after === null || after.some((host) => !isAmong(before, host)))
  if (goesFurther && keepsSecrets)
    throw invalid(
      'hosts: stored secrets belong to the hosts that they were stored for. Enter them again to send them to others.',
    )
}
