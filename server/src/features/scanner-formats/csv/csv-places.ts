import {
  canonicalAddress,
  canonicalHost,
  canonicalPort,
  canonicalProtocol,
  canonicalUrl,
  hostAndPort,
} from '../../inventory/sightings/canonical.ts'
import { isRefusal } from '../../scope/rules/host.ts'
import { recogniseEntered } from '../../scope/rules/recognise.ts'
import { type FindingLocation, placeOf } from '../fields/places.ts'
import type { MappedField } from './csv-columns.ts'

/** Placeholders that people write if there is no host. */
const NO_HOSTS = new Set(['all', 'any', 'multiple', 'n/a', 'na', 'none', 'null', 'several', 'unknown', 'various'])
/**
 * File names that could be host names, with a line number that could be a port. None of the extensions is a top-level
 * domain.
 */
const FILE =
  /^[^/]*\.(?:bat|cfg|conf|cpp|cs|css|csproj|dll|env|exe|go|gradle|html?|ini|jar|java|jsx?|json|jsp|kt|lock|log|php|properties|rb|sql|swift|tf|toml|tsx?|txt|vue|war|xml|ya?ml)(?::\d+)?$/i
const NO_HOST = '(no host)'

/** The place of a row's finding; without a host if the text is not one, such as a bucket or a file. */
export type RowPlace = Pick<FindingLocation, 'asset' | 'location'> &
  Partial<Omit<FindingLocation, 'asset' | 'location'>>

/** Parses a URL, a host with a port, or a manual notation: `www.example.com/path`, `name/address`. */
export const placeOfRow = (field: (name: MappedField) => string | undefined, isWrittenByPeople: boolean): RowPlace => {
  const port = canonicalPort(field('port'))
  const protocol = canonicalProtocol(field('protocol')) ?? 'tcp'
  const written = field('url') ?? field('host') ?? NO_HOST
  const nowhere = { asset: written, location: written }
  if (isWrittenByPeople && isNoHost(written)) return nowhere
  const place = placeOf(written, port, protocol)
  if (place) return place
  // testssl writes name/address; either may be missing.
  const [, name = '', rest = ''] = /^([^/\\]+)\/(.*)$/s.exec(written) ?? []
  const [host, address] = [placeOf(name, port, protocol), canonicalAddress(rest)]
  if (!host || isNetworkOrWords(host.host ?? '', rest)) return nowhere
  if (field('host') === undefined || address === undefined) return { ...host, location: written }
  const asset = port === undefined ? address : `${hostAndPort(address, port)}/${protocol}`
  return { ...host, host: address, asset, location: asset }
}

/** Words, files and ids of apps look like names. A scanner's host column is trusted. */
const isNoHost = (written: string): boolean => {
  if (NO_HOSTS.has(written.trim().toLowerCase()) || (FILE.test(written) && canonicalUrl(written) === undefined))
    return true
  return (
    canonicalAddress(written) === undefined &&
    canonicalHost(written) !== undefined &&
    isRefusal(recogniseEntered(written.trim().replace(/\.$/, '')))
  )
}

/** `192.0.2.0/28` is a network; in `N/A: all hosts` and `src/main` the part before the slash is not a name. */
const isNetworkOrWords = (host: string, rest: string): boolean => {
  const address = canonicalAddress(rest)
  if (address !== undefined) return canonicalAddress(host) !== undefined && host !== address
  return canonicalAddress(host) === undefined
    ? rest !== '' && (!host.includes('.') || /\s/.test(rest))
    : /^\d{1,3}(?:\.\d{1,3}){0,3}$/.test(rest)
}
