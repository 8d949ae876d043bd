import { UnresolvedError } from '../../../platform/outbound/names.ts'
import { EgressRefusedError } from '../../../platform/outbound/outbound.ts'
import { TunnelError } from '../../../platform/outbound/tunnel.ts'
import { BodyError } from './receive-body.ts'

/** The engagement's scope rules deny a destination, or a redirect has an unsupported destination. */
export class RunRefused extends Error {}

/** The run failed, with a message for users. */
export class RunFailed extends Error {}

export class RunCancelled extends Error {}

/** The proxy connected, and a later step failed. */
export class BehindProxyError extends Error {
  constructor(cause: unknown) {
    super('behind the proxy', { cause })
  }
}

const SENTENCES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was reset',
  EPIPE: 'the connection was closed while the request was sent',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  ETIMEDOUT: 'the connection timed out',
  UND_ERR_CONNECT_TIMEOUT: 'the connection was not open in time',
  UND_ERR_SOCKET: 'the server closed the connection before the response was complete',
  UND_ERR_HEADERS_OVERFLOW: 'the headers of the response are too large',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'the response is not as long as its headers state',
  UND_ERR_REQ_CONTENT_LENGTH_MISMATCH: 'a file changed while it was sent',
  ERR_STREAM_PREMATURE_CLOSE: 'the server closed the connection before the response was complete',
  ERR_HTTP2_STREAM_ERROR: 'the server reset the stream',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is for another name',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'the certificate authority is not trusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the certificate authority is not trusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'the certificate authority is not trusted',
  CERT_HAS_EXPIRED: 'the certificate has expired',
  CERT_NOT_YET_VALID: 'the certificate is not valid yet',
}

/** Returns the state and message of a failed run; undefined for a fault of this server. */
export const outcomeOf = (
  error: unknown,
): { state: 'failed' | 'refused' | 'cancelled'; reason: string } | undefined => {
  const causes = causesOf(error)
  const tunnel = causes.find((cause) => cause instanceof TunnelError)
  const refused = causes.find((cause) => cause instanceof EgressRefusedError)
  if (refused)
    return {
      state: 'refused',
      reason: `the egress policy refuses ${tunnel ? 'the proxy' : 'it'}: ${refused.decision.rule}`,
    }
  const known = causes.find(
    (cause) => cause instanceof RunRefused || cause instanceof RunCancelled || cause instanceof RunFailed,
  )
  if (known)
    return {
      state: known instanceof RunRefused ? 'refused' : known instanceof RunCancelled ? 'cancelled' : 'failed',
      reason: known.message,
    }
  const stated = causes.find((cause) => cause instanceof UnresolvedError || cause instanceof BodyError)
  const failure = stated?.message ?? failureOf(causes)
  if (tunnel)
    return { state: 'failed', reason: failure === undefined ? tunnel.message : `${tunnel.message}: ${failure}` }
  if (failure === undefined) return undefined
  const isBehindProxy = !stated && causes.some((cause) => cause instanceof BehindProxyError)
  return { state: 'failed', reason: isBehindProxy ? `behind the proxy: ${failure}` : failure }
}

/**
 * Returns why a certificate is not trusted. @param failure Node's error, for a socket that was opened without
 * verification
 */
export const certificateProblem = (stated: Error | string): string => {
  const code = typeof stated === 'string' ? stated : ((stated as NodeJS.ErrnoException).code ?? stated.message)
  return SENTENCES[code] ?? `the certificate cannot be verified (${code})`
}

/** Describes a failure of the network or of the remote server. */
const failureOf = (causes: readonly Error[]): string | undefined => {
  const codes = causes.flatMap((cause) => (cause as NodeJS.ErrnoException).code ?? [])
  // undici reports this only in its message.
  if (causes.some(({ message }) => message === 'bad upgrade')) return 'the server switched to another protocol'
  const sentence = codes.map((code) => SENTENCES[code]).find((text) => text !== undefined)
  if (sentence) return sentence
  if (codes.some((code) => code.startsWith('HPE_')) || causes.some(({ name }) => name === 'HTTPParserError'))
    return 'the response is not valid HTTP'
  if (codes.some((code) => /SSL|TLS|CERT/.test(code))) return `TLS could not be set up (${codes[0]})`
  const isNetwork = codes.some(
    (code) => code.startsWith('UND_ERR_') || /^E[A-Z]+$/.test(code) || code.startsWith('ERR_HTTP2'),
  )
  return isNetwork ? `the exchange failed (${codes[0]})` : undefined
}

const causesOf = (error: unknown): Error[] => {
  const causes: Error[] = []
  for (let cause = error; cause instanceof Error && causes.length < 10; cause = cause.cause) {
    causes.push(cause)
    if (cause instanceof AggregateError) causes.push(...cause.errors.slice(0, 10))
  }
  return causes
}
