import { lookup, Resolver } from 'node:dns/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Address, parseAddress } from './addresses.ts'

const QUERY_TIMEOUT_MS = 3_000
const TRIES = 2
const SYSTEM_TIMEOUT_MS = 10_000
/** No such name, or no address of the requested family. */
const NOTHING_THERE = ['ENOTFOUND', 'ENODATA']

/** A name has no address, or the name servers do not answer. */
export class UnresolvedError extends Error {
  readonly host: string

  constructor(host: string, cause?: unknown) {
    super(`${host} does not resolve to an address`, { cause })
    this.name = 'UnresolvedError'
    this.host = host
  }
}

/**
 * All addresses of a name, at least one. @param signal ends the question. @throws UnresolvedError, the reason of
 * `signal`
 */
export type FindAddresses = (name: string, signal?: AbortSignal) => Promise<Address[]>

/** Asks `DNS_SERVERS` if set, otherwise the system, with its hosts file and search domains. */
export const createFindAddresses = (servers: readonly string[] | undefined): FindAddresses =>
  servers ? askServers(servers) : askSystem

/** If one family gets no answer, the whole query fails: unknown addresses cannot be checked. */
const askServers =
  (servers: readonly string[]): FindAddresses =>
  async (name, signal) => {
    signal?.throwIfAborted()
    const resolver = new Resolver({ timeout: QUERY_TIMEOUT_MS, tries: TRIES })
    resolver.setServers(servers)
    const cancel = () => resolver.cancel()
    signal?.addEventListener('abort', cancel, { once: true })
    try {
      const families = await Promise.all(
        [resolver.resolve4(name), resolver.resolve6(name)].map((answer) => answer.catch(onlyNothing(name))),
      )
      return atLeastOne(name, families.flat())
    } catch (error) {
      signal?.throwIfAborted()
      throw error
    } finally {
      signal?.removeEventListener('abort', cancel)
    }
  }

const onlyNothing =
  (name: string) =>
  (error: NodeJS.ErrnoException): string[] => {
    if (NOTHING_THERE.includes(error.code ?? '')) return []
    throw new UnresolvedError(name, error)
  }

/** A lookup by the system cannot be cancelled, so its result is ignored. */
const askSystem: FindAddresses = async (name, signal) => {
  signal?.throwIfAborted()
  const giveUp = new AbortController()
  const late = sleep(SYSTEM_TIMEOUT_MS, [], {
    signal: signal ? AbortSignal.any([giveUp.signal, signal]) : giveUp.signal,
  })
  late.catch(() => undefined)
  try {
    const found = await Promise.race([lookup(name, { all: true, order: 'verbatim' }), late])
    return atLeastOne(
      name,
      found.map(({ address }) => address),
    )
  } catch (error) {
    signal?.throwIfAborted()
    throw error instanceof UnresolvedError ? error : new UnresolvedError(name, error)
  } finally {
    giveUp.abort()
  }
}

const atLeastOne = (name: string, texts: readonly string[]): Address[] => {
  const addresses = texts.map(parseAddress)
  if (addresses.length === 0 || addresses.includes(undefined)) throw new UnresolvedError(name)
  return addresses as Address[]
}
