/** Between the parts of a name: a comma before the next `type=`, unless it is escaped. */
const BETWEEN_PARTS = /(?<!\\),\s{0,4}(?=[\w.]{1,60}=)/
const COMMON_NAME = /^CN=/i

/**
 * A distinguished name as a line that is the same whoever wrote it: `CN=shop.example.com, O=Contoso\, Inc`. Some begin at the
 * country, and some do not escape what separates.
 */
export const distinguishedName = (written: string | undefined): string | undefined => {
  const parts = written?.split(BETWEEN_PARTS).map((part) => part.replace(/(?<!\\)[,+"<>;]/g, String.raw`\$&`))
  const isFromCountry = parts !== undefined && COMMON_NAME.test(parts.at(-1) ?? '') && !COMMON_NAME.test(parts[0] ?? '')
  return (isFromCountry ? parts.toReversed() : parts)?.join(', ')
}

/** A serial number as hexadecimal digits without colons. */
export const serialNumber = (written: string | undefined): string | undefined =>
  written !== undefined && /^[\da-f]{2}(?::[\da-f]{2})+$/i.test(written) ? written.replaceAll(':', '').toUpperCase() : written

const VERSIONS = new Map(Object.entries({ ssl30: 'SSLv3', tls10: 'TLSv1', tls11: 'TLSv1.1', tls12: 'TLSv1.2', tls13: 'TLSv1.3' }))

/** `tls12` of tlsx as `TLSv1.2`. */
export const versionOfTls = (written: string): string => VERSIONS.get(written.toLowerCase()) ?? written

/** Of TLS 1.3, of which all are strong. Which of them is spoken is for whoever asks. */
export const isCipherOfTls13 = (cipher: unknown): boolean => typeof cipher === 'string' && /^TLS_(?:AES|CHACHA20)_/.test(cipher)
