import { badRequest } from '../../platform/errors.ts'

/** Maximum difference between the signed time and ours, in either direction. */
export const SIGNATURE_TOLERANCE_SECONDS = 300

/** The part of Stripe's own library that is used here. */
export interface StripeSignatures {
  verifyHeader(payload: string, header: string, secret: string, toleranceSeconds: number, provider: undefined, receivedAtMs: number): boolean
  isRefusal(error: unknown): boolean
}

/** Loaded only if billing is on, because it is large. */
export const loadStripe = async (): Promise<StripeSignatures> => {
  const { Stripe } = await import('stripe')
  const { signature } = Stripe.webhooks
  if (!signature) throw new Error('the stripe library has no signature helper')
  return {
    verifyHeader: (...values) => signature.verifyHeader(...values),
    isRefusal: (error) => error instanceof Stripe.errors.StripeSignatureVerificationError,
  }
}

/**
 * Checks a `Stripe-Signature` header. The library does the cryptography. This function also refuses what the library accepts (a
 * future time, a duplicate time, or one with characters after its digits) and what it fails on with another error (a signature
 * that is not 64 hexadecimal digits).
 *
 * @param secrets any one may match: during a rotation, both are in use
 * @throws ApiError BAD_REQUEST
 */
export const verifyStripeSignature = (stripe: StripeSignatures, text: string, header: string | undefined, secrets: readonly string[], nowMs: number): void => {
  if (header === undefined) throw badRequest('Stripe-Signature: is missing.')
  const parts = header.split(',')
  const times = parts.filter((part) => part.trim().startsWith('t='))
  const [time = ''] = times
  if (times.length !== 1 || !/^t=\d{1,12}$/.test(time)) throw badRequest('Stripe-Signature: must have one time, t, in Unix seconds.')
  if (Math.abs(nowMs - Number(time.slice(2)) * 1000) > SIGNATURE_TOLERANCE_SECONDS * 1000) {
    throw badRequest(`Stripe-Signature: the time is more than ${SIGNATURE_TOLERANCE_SECONDS} seconds from the server's.`)
  }
  const signatures = parts.filter((part) => part.startsWith('v1'))
  if (signatures.length === 0 || !signatures.every((part) => /^v1=[0-9a-f]{64}$/.test(part))) {
    throw badRequest('Stripe-Signature: must have a signature, v1, in 64 hexadecimal digits.')
  }
  const isSigned = secrets.some((secret) => isSignedWith(stripe, text, header, secret, nowMs))
  if (!isSigned) throw badRequest('Stripe-Signature: does not fit the body.')
}

const isSignedWith = (stripe: StripeSignatures, text: string, header: string, secret: string, nowMs: number): boolean => {
  try {
    return stripe.verifyHeader(text, header, secret, SIGNATURE_TOLERANCE_SECONDS, undefined, nowMs)
  } catch (error) {
    if (stripe.isRefusal(error)) return false
    throw error
  }
}
