import { isIP } from 'node:net'
import { invalid } from '../../platform/errors.ts'

/** Host names and addresses that secrets may be sent to, `*.` before a name for all below it; null: wherever requests may go. */
export type SecretHosts = readonly string[] | null

/** Secrets that a request uses, and where they may go. */
export interface BoundSecrets {
  /** For people. */
  of: string
  hosts: readonly string[]
}

/** Each host once, as URLs spell it. @throws ApiError VALIDATION_ERROR for what is no host */
export const canonicalHosts = (hosts: SecretHosts): string[] | null =>
  hosts && [
    ...new Set(
      hosts.map((text, index) => {
        const host = canonicalHost(text)
        if (host === undefined) throw invalid(`hosts.${index}: must be a host name, an address, or *. before a name, without scheme, port and path`)
        return host
      }),
    ),
  ]

const canonicalHost = (text: string): string | undefined => {
  const isBelow = text.startsWith('*.')
  const name = isBelow ? text.slice(2) : text
  const written = isIP(name) === 6 ? `[${name}]` : name
  const url = `http://${written}`
  // What is more than a host would be read as something else of a URL.
  if (!/^(?:\[[\da-fA-F:.]+\]|[^\s:/?#@[\]\\%*]+)$/.test(written) || !URL.canParse(url)) return undefined
  const host = hostOf(new URL(url))
  const isAddress = host.startsWith('[') || isIP(host) !== 0
  return isBelow ? (isAddress ? undefined : `*.${host}`) : host
}

const hostOf = ({ hostname }: URL): string => hostname.replace(/\.$/, '')

const isAmong = (hosts: readonly string[], host: string): boolean =>
  hosts.some((each) => each === host || (each.startsWith('*.') && host.endsWith(each.slice(1))))

/** The secrets among these that are not sent there. */
export const findRefusing = (all: readonly BoundSecrets[], url: URL): BoundSecrets | undefined => all.find(({ hosts }) => !isAmong(hosts, hostOf(url)))

/**
 * Who may not read a secret cannot have it sent to another host than before.
 *
 * @param keepsSecrets whether a secret is kept that is not typed anew
 * @throws ApiError VALIDATION_ERROR
 */
export const requireNoFurther = (before: SecretHosts, after: SecretHosts, keepsSecrets: boolean): void => {
  const goesFurther = before !== null && (after === null || after.some((host) => !isAmong(before, host)))
  if (goesFurther && keepsSecrets)
    throw invalid('hosts: stored secrets belong to the hosts that they were stored for. Enter them again to send them to others.')
}
