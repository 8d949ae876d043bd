import { type Address, isMetadata, kindOf, meaningsOf, PUBLIC, textOf } from './addresses.ts'
import { covers, type Entry, namesAlone, parseAllowEntry, parseEntry } from './entries.ts'
import type { Own } from './own-ports.ts'

export interface Verdict {
  allowed: boolean
  /** The deciding rule, in words for people; contains no address except those of the settings. */
  rule: string
}

/**
 * Checks one address at one port. `port` is undefined if none is known: entries with a port do not count then.
 *
 * @param own facts about the addresses of this instance at that port
 */
export type Policy = (address: Address, port: number | undefined, own: Own) => Verdict

/** The lists of the settings, as checked at start. */
export interface PolicySettings {
  EGRESS_ALLOW: readonly string[] | undefined
  EGRESS_DENY: readonly string[] | undefined
}

const allowed = (rule: string): Verdict => ({ allowed: true, rule })
const refused = (rule: string): Verdict => ({ allowed: false, rule })

/**
 * The policy of docs/platform/egress.md. In this order: EGRESS_DENY; own ports, metadata addresses and addresses of
 * this machine, which only their exact entry allows; EGRESS_ALLOW; public unicast. IPv4 in IPv6 is checked as the IPv4
 * that it carries.
 *
 * @throws EntryError for an entry that the check at start refuses
 */
export const createPolicy = ({ EGRESS_ALLOW = [], EGRESS_DENY = [] }: PolicySettings): Policy => {
  const allow = EGRESS_ALLOW.map(parseAllowEntry)
  const deny = EGRESS_DENY.map(parseEntry)

  const evaluateOne = (
    address: Address,
    port: number | undefined,
    isOwnPort: boolean,
    isOwnAddress: boolean,
  ): Verdict => {
    const exact = allow.find((entry) => entry.port !== undefined && covers(entry, address, port))
    if (isOwnPort)
      return exact
        ? byEntry(exact)
        : refused('a port of this server itself; only its address:port in EGRESS_ALLOW opens it')
    if (isMetadata(address) || isOwnAddress) {
      const single = allow.find((entry) => namesAlone(entry, address) && covers(entry, address, port))
      const what = isOwnAddress ? 'an address of this machine' : 'a metadata address of clouds'
      return single ? byEntry(single) : refused(`${what}; only this single address in EGRESS_ALLOW opens it`)
    }
    const entry = allow.find((each) => covers(each, address, port))
    if (entry) return byEntry(entry)
    const kind = kindOf(address)
    return kind === PUBLIC ? allowed(PUBLIC) : refused(`not public (${kind}) and not in EGRESS_ALLOW`)
  }

  return (address, port, { isOwnPort, isOwnAddress }) => {
    const meanings = meaningsOf(address)
    const denied = deny.find((entry) => [address, ...meanings].some((each) => covers(entry, each, port)))
    if (denied) return refused(`EGRESS_DENY ${denied.text}`)
    const verdicts = meanings.map((each) => {
      const isOwn = (is: (text: string) => boolean) => is(textOf(each)) || is(textOf(address))
      return evaluateOne(each, port, isOwn(isOwnPort), isOwn(isOwnAddress))
    })
    return verdicts.find((verdict) => !verdict.allowed) ?? (verdicts[0] as Verdict)
  }
}

/** The policy in one line, for the start-up log. */
export const describePolicy = ({ EGRESS_ALLOW = [], EGRESS_DENY = [] }: PolicySettings): string => {
  const allowed = ['public addresses', ...EGRESS_ALLOW].join(', ')
  return `scans and requests may reach: ${allowed}${EGRESS_DENY.length > 0 ? `; never: ${EGRESS_DENY.join(', ')}` : ''}`
}

const byEntry = ({ text }: Entry): Verdict => allowed(`EGRESS_ALLOW ${text}`)
