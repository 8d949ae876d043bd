import { errors } from 'undici'
import { UnresolvedError } from '../../../platform/outbound/names.ts'
import { EgressRefusedError } from '../../../platform/outbound/outbound.ts'
import { InvalidSighting } from '../../inventory/sightings/sightings.ts'
import { type Found, NoAnswer, OutOfScopeError } from './scanner.ts'

/** Why a connection or a response failed. */
export type Failure =
  /** The host reports that nothing listens. */
  | { kind: 'refused'; reason: string }
  /** Denied by rules or the egress policy: nothing was sent. */
  | { kind: 'untouchable'; reason: string }
  /** No reliable response. */
  | { kind: 'silent'; reason: string }
  /** An unexpected response. */
  | { kind: 'strange'; reason: string }

/** Errors of this machine, not of the host: too many open files, no free port. */
const OWN = ['EMFILE', 'ENFILE', 'EADDRNOTAVAIL', 'ENOBUFS']
const SILENT = [
  ...OWN,
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EHOSTDOWN',
  'ENETDOWN',
  'EACCES',
  'EPERM',
  'ECANCELLED',
  'ETIMEOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
]
const NETWORK =
  /^(?:E[A-Z]+|ERR_(?:SSL|TLS|HTTP|OSSL|STREAM)_[A-Z0-9_/]+|UND_ERR_[A-Z_]+|HPE_[A-Z_]+|CERT_[A-Z_]+|Z_[A-Z_]+)$/
const CERTIFICATE = /CERT|CRL|ISSUER|CHAIN/

/** @throws the error itself if it is a fault of this program */
export const failureOf = (error: unknown): Failure => {
  const causes = causesOf(error)
  for (const cause of causes) {
    if (cause instanceof OutOfScopeError) return { kind: 'untouchable', reason: cause.message }
    if (cause instanceof EgressRefusedError)
      return { kind: 'untouchable', reason: `the egress policy refuses it: ${cause.decision.rule}` }
    if (cause instanceof errors.HTTPParserError) return { kind: 'strange', reason: 'the answer is not HTTP' }
    if (cause instanceof NoAnswer || cause instanceof UnresolvedError) return { kind: 'silent', reason: cause.message }
  }
  const codes = causes.flatMap((cause) => (cause as NodeJS.ErrnoException).code ?? [])
  const code = codes.find((each) => NETWORK.test(each) || CERTIFICATE.test(each))
  if (code === undefined) throw error
  if (codes.includes('ECONNREFUSED')) return { kind: 'refused', reason: 'connections are refused' }
  return { kind: codes.some((each) => SILENT.includes(each)) ? 'silent' : 'strange', reason: code }
}

const causesOf = (error: unknown): Error[] => {
  const causes: Error[] = []
  for (let cause = error; cause instanceof Error && causes.length < 10; cause = cause.cause) {
    causes.push(cause)
    if (cause instanceof AggregateError) causes.push(...(cause.errors as Error[]).slice(0, 10))
  }
  return causes
}

/** Logs a warning instead if the host's data cannot become a sighting. */
export const tried = (about: string, make: () => readonly Found[]): readonly Found[] => {
  try {
    return make()
  } catch (error) {
    if (!(error instanceof InvalidSighting)) throw error
    return [warning(`${about}: ${error.message}`)]
  }
}

export const warning = (text: string): Found => ({ type: 'log', level: 'warning', text })
export const info = (text: string): Found => ({ type: 'log', level: 'info', text })
