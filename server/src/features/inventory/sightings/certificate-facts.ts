/** A comma before the next `type=`, unless it is escaped. */
const BETWEEN_PARTS = /(?<!\\),\s{0,4}(?=[\w.]{1,60}=)/
const COMMON_NAME = /^CN=/i

/**
 * Normalizes a distinguished name, so that all tools agree: `CN=shop.example.com, O=Contoso\, Inc`. Some tools start
 * with the country, and some do not escape separators.
 */
export const distinguishedName = (written: string | undefined): string | undefined => {
  const parts = written?.split(BETWEEN_PARTS).map((part) => part.replace(/(?<!\\)[,+"<>;]/g, String.raw`\$&`))
  const isFromCountry = parts !== undefined && COMMON_NAME.test(parts.at(-1) ?? '') && !COMMON_NAME.test(parts[0] ?? '')
  return (isFromCountry ? parts.toReversed() : parts)?.join(', ')
}

/** Formats a serial number as upper-case hexadecimal digits without colons. */
export const serialNumber = (written: string | undefined): string | undefined =>
  written !== undefined && /^[\da-f]{2}(?::[\da-f]{2})+$/i.test(written)
    ? written.replaceAll(':', '').toUpperCase()
    : written

const VERSIONS = new Map(
  Object.entries({ ssl30: 'SSLv3', tls10: 'TLSv1', tls11: 'TLSv1.1', tls12: 'TLSv1.2', tls13: 'TLSv1.3' }),
)

/** Maps the notation of tlsx to the usual one: `tls12` to `TLSv1.2`. */
export const versionOfTls = (written: string): string => VERSIONS.get(written.toLowerCase()) ?? written

/** True for a TLS 1.3 cipher. All of them are strong, and the client's offer decides which one is negotiated. */
export const isCipherOfTls13 = (cipher: unknown): boolean =>
  typeof cipher === 'string' && /^TLS_(?:AES|CHACHA20)_/.test(cipher)
