const ascii = (bytes: Buffer, from: number, to: number): string => bytes.toString('latin1', from, to)

/** Signatures at the start of a file (WHATWG MIME Sniffing, section 6.1; AVIF, section 9.1.1). */
const PICTURES: readonly [type: string, is: (head: Buffer) => boolean][] = [
  ['image/png', (head) => ascii(head, 0, 8) === '\x89PNG\r\n\x1a\n'],
  ['image/jpeg', (head) => ascii(head, 0, 3) === '\xff\xd8\xff'],
  ['image/gif', (head) => /^GIF8[79]a/.test(ascii(head, 0, 6))],
  ['image/webp', (head) => ascii(head, 0, 4) === 'RIFF' && ascii(head, 8, 12) === 'WEBP'],
  [
    'image/avif',
    (head) => ascii(head, 4, 8) === 'ftyp' && brands(head).some((brand) => brand === 'avif' || brand === 'avis'),
  ],
]

/** For an ISO base media file: the major brand and the compatible ones, without the version in between. */
const brands = (head: Buffer): string[] => {
  const end = Math.min(head.length, head.readUInt32BE(0))
  const found = [ascii(head, 8, 12)]
  for (let at = 16; at + 4 <= end; at += 4) found.push(ascii(head, at, at + 4))
  return found
}

/**
 * Determines the type of a file from its bytes only: a name or a `Content-Type` may be wrong. Everything except raster
 * images is `application/octet-stream`: a browser saves it and runs nothing.
 *
 * @param head the first bytes, 64 or more if the file is that long
 */
export const mediaTypeOf = (head: Buffer): string =>
  PICTURES.find(([, is]) => is(head))?.[0] ?? 'application/octet-stream'

/** Reports whether a browser may show it in a page. */
export const isPicture = (mediaType: string): boolean => PICTURES.some(([type]) => type === mediaType)
