import { isRefusal, parseHost, type Refusal, refuse } from '../scope/rules/host.ts'
import { recognise } from '../scope/rules/recognise.ts'

/** Parses a destination as users write it and returns its canonical form; an address is a network of one. */
export const readPlace = (written: string): { network: string } | { name: string } | Refusal => {
  const text = written.trim()
  if (!text.includes('/')) {
    const host = parseHost(text)
    if (isRefusal(host)) return host
    return typeof host.host === 'string' ? { name: host.host } : { network: host.text }
  }
  const found = recognise(text)
  if (isRefusal(found)) return found
  return found.kind === 'ip' || found.kind === 'cidr'
    ? { network: found.canonical }
    : refuse('is an address, a name, or a network such as 10.0.0.0/24')
}

/** Parses a single address to its canonical form; undefined for anything else. */
export const readAddress = (written: string): string | undefined => {
  const place = readPlace(written)
  return 'network' in place && !place.network.includes('/') ? place.network : undefined
}

/** Parses a name to its canonical form; undefined for anything else. */
export const readName = (written: string): string | undefined => {
  const place = readPlace(written)
  return 'name' in place ? place.name : undefined
}
