export interface ReadAddresses {
  /** Deduplicated, ignoring case; keeps the first spelling. */
  addresses: string[]
  /** Number of addresses that occurred more than once. */
  repeated: number
  /** Entries that are not addresses, to be shown: no input is dropped. */
  unreadable: string[]
}

const SEPARATOR = /[,;，；、\r\n]+/
/**
 * `"Byron, Ada" <ada@example.com>`, with or without quotes. Anchored to the start of an entry, so that long texts are
 * read in linear time.
 */
const NAMED = /(?<=^|[,;，；、\r\n>])\s*(?:"([^"\r\n]*)"\s*|([^",;，；、<>\r\n]*))<([^<>\r\n]*)>/g
const AROUND = /^(?:mailto:|["'(<[])+|["')>\].]+$/gi

/** Addresses in pasted text: `Ada Byron <ada@example.com>, grace@example.com`. */
export const readAddresses = (text: string): ReadAddresses => {
  const times = new Map<string, { written: string; count: number }>()
  const unreadable = new Set<string>()
  for (const entry of text.replace(NAMED, withoutName).split(SEPARATOR)) {
    const words = entry
      .split(/\s+/)
      .map((word) => word.replace(AROUND, ''))
      .filter(Boolean)
    for (const word of words.filter(isAddress)) {
      const known = times.get(word.toLowerCase())
      times.set(word.toLowerCase(), { written: known?.written ?? word, count: (known?.count ?? 0) + 1 })
    }
    const rest = words.filter((word) => !isAddress(word)).join(' ')
    if (rest) unreadable.add(rest)
  }
  const found = [...times.values()]
  return {
    addresses: found.map(({ written }) => written),
    repeated: found.filter(({ count }) => count > 1).length,
    unreadable: [...unreadable],
  }
}

const isAddress = (word: string): boolean => word.includes('@')

/** Drops the name before an address, unless the name contains an address. */
const withoutName = (_: string, quoted: string | undefined, plain: string | undefined, address: string): string => {
  const name = quoted ?? plain ?? ''
  const isName = isAddress(address) && !isAddress(name)
  const isRepeated = name.trim().toLowerCase() === address.trim().toLowerCase()
  return isName || isRepeated ? `,${address},` : `,${name},${address},`
}
