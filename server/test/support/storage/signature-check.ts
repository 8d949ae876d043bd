import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

/** A request as it came over the network. */
export interface SignedRequest {
  method: string
  /** Path and query, as in the request line. */
  target: string
  /** Names in lower case. */
  headers: Readonly<Record<string, string | undefined>>
  body: Buffer
}

export interface Keys {
  accessKeyId: string
  secretAccessKey: string
}

/** Why S3 refuses a request. */
export type Refusal =
  | 'AccessDenied'
  | 'AuthorizationHeaderMalformed'
  | 'InvalidAccessKeyId'
  | 'RequestTimeTooSkewed'
  | 'SignatureDoesNotMatch'
  | 'XAmzContentSHA256Mismatch'

const SKEW_MS = 15 * 60 * 1000
const AUTHORIZATION =
  /^AWS4-HMAC-SHA256 Credential=([^/,]+)\/(\d{8})\/([^/,]+)\/([^/,]+)\/aws4_request, ?SignedHeaders=([a-z0-9;-]+), ?Signature=([0-9a-f]{64})$/

/**
 * Checks a request as S3 does, by the text of AWS ("Signature Calculations for the Authorization Header: Transferring
 * Payload in a Single Chunk"), and without the library that signs: what must be signed, the signature, the SHA-256 of
 * the body, and the clock.
 *
 * @param nowMs milliseconds since the epoch
 * @returns the code of S3's refusal; undefined for a request that is signed correctly
 */
export const refusalOf = (
  { method, target, headers, body }: SignedRequest,
  { accessKeyId, secretAccessKey }: Keys,
  region: string,
  nowMs: number,
): Refusal | undefined => {
  if (headers['authorization'] === undefined) return 'AccessDenied'
  const [, id, day, signedRegion, service, signedHeaders = '', signature = ''] =
    AUTHORIZATION.exec(headers['authorization']) ?? []
  if (id === undefined || day === undefined || signedRegion !== region || service !== 's3')
    return 'AuthorizationHeaderMalformed'
  if (id !== accessKeyId) return 'InvalidAccessKeyId'
  const date = headers['x-amz-date'] ?? ''
  const at = Date.parse(date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))
  if (Number.isNaN(at) || !date.startsWith(day)) return 'AccessDenied'
  if (Math.abs(at - nowMs) > SKEW_MS) return 'RequestTimeTooSkewed'
  const names = signedHeaders.split(';')
  const isRequired = (name: string) => name === 'host' || name.startsWith('x-amz-')
  if (Object.keys(headers).some((name) => isRequired(name) && !names.includes(name))) return 'AccessDenied'
  const payload = headers['x-amz-content-sha256'] ?? ''
  const canonical = [
    method,
    canonicalPath(target),
    canonicalQuery(target),
    ...names.map((name) => `${name}:${(headers[name] ?? '').trim().replaceAll(/ +/g, ' ')}`),
    '',
    signedHeaders,
    payload,
  ].join('\n')
  const scope = `${day}/${region}/s3/aws4_request`
  const text = ['AWS4-HMAC-SHA256', date, scope, sha256(canonical)].join('\n')
  const key = [day, region, 's3', 'aws4_request'].reduce<Buffer | string>(hmac, `AWS4${secretAccessKey}`)
  if (!timingSafeEqual(hmac(key, text), Buffer.from(signature, 'hex'))) return 'SignatureDoesNotMatch'
  return payload === sha256(body) ? undefined : 'XAmzContentSHA256Mismatch'
}

const hmac = (key: Buffer | string, text: string): Buffer => createHmac('sha256', key).update(text).digest()
const sha256 = (bytes: Buffer | string): string => createHash('sha256').update(bytes).digest('hex')

/** RFC 3986: only letters, digits and `-._~` stay as they are. */
const encode = (text: string): string =>
  encodeURIComponent(text).replaceAll(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)

const canonicalPath = (target: string): string =>
  (target.split('?')[0] as string)
    .split('/')
    .map((part) => encode(decodeURIComponent(part)))
    .join('/')

const canonicalQuery = (target: string): string => {
  const query = target.split('?')[1] ?? ''
  if (query === '') return ''
  return query
    .split('&')
    .map((pair) => {
      const [name = '', ...value] = pair.split('=')
      return [name, value.join('=')].map((part) => encode(decodeURIComponent(part.replaceAll('+', ' '))))
    })
    .toSorted(([a = '', x = ''], [b = '', y = '']) => compare(a, b) || compare(x, y))
    .map(([name, value]) => `${name}=${value}`)
    .join('&')
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
