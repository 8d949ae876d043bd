import { Resolver } from 'node:dns/promises'
import type { Config } from './config.ts'

const TIMEOUT_MS = 3_000
const TRIES = 2

/** `missing`: the name servers say that there is nothing. `unanswered`: they say nothing that can be relied on. */
export type TxtAnswer = { result: 'found'; texts: string[] } | { result: 'missing' } | { result: 'unanswered' }

/** The TXT records of a name, asked of `DNS_SERVERS` or of the system's. Takes at most a quarter of a minute. */
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
