const CHUNK = /.{1,76}/g

/**
 * The favicon hash of internet search engines: MurmurHash3 (x86, 32 bits, seed 0) of the Base64 icon, in lines of 76
 * characters as in RFC 2045. A signed number, as is usual.
 */
export const faviconHash = (icon: Buffer): string =>
  String(murmur3(Buffer.from(`${icon.toString('base64').match(CHUNK)?.join('\n') ?? ''}\n`)))

const C1 = 0xcc9e2d51
const C2 = 0x1b873593

const rotate = (value: number, by: number): number => (value << by) | (value >>> (32 - by))
const scramble = (block: number): number => Math.imul(rotate(Math.imul(block, C1), 15), C2)

const murmur3 = (bytes: Buffer): number => {
  const blocks = bytes.length >>> 2
  let hash = 0
  for (let i = 0; i < blocks; i++)
    hash = (Math.imul(rotate(hash ^ scramble(bytes.readInt32LE(i * 4)), 13), 5) + 0xe6546b64) | 0
  const rest = bytes.subarray(blocks * 4)
  if (rest.length > 0) hash ^= scramble(rest.reduceRight((word, byte) => (word << 8) | byte, 0))
  hash ^= bytes.length
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return hash ^ (hash >>> 16)
}
