import { Resolver } from 'node:dns/promises'
import type { Config } from './config.ts'

const TIMEOUT_MS = 3_000
const TRIES = 2

/** `missing`: the name servers report that there is none. `unanswered`: there is no reliable answer. */
export type TxtAnswer = { result: 'found'; texts: string[] } | { result: 'missing' } | { result: 'unanswered' }

/** Looks up the TXT records of a name, through `DNS_SERVERS` or the system's name servers. Takes at most 15 seconds. */
export const lookUpTxt = async ({ DNS_SERVERS }: Pick<Config, 'DNS_SERVERS'>, name: string): Promise<TxtAnswer> => {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES })
  if (DNS_SERVERS) resolver.setServers(DNS_SERVERS)
  try {
    const records = await resolver.resolveTxt(name)
    return { result: 'found', texts: records.map((chunks) => chunks.join('')) }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return { result: code === 'ENOTFOUND' || code === 'ENODATA' ? 'missing' : 'unanswered' }
  }
}
