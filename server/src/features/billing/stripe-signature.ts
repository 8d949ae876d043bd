import { createHmac, timingSafeEqual } from 'node:crypto'
import { badRequest } from '../../platform/errors.ts'

/** Maximum difference between the signed time and ours, in either direction. */
export const SIGNATURE_TOLERANCE_SECONDS = 300

/**
 * Checks a `Stripe-Signature` header, `t=<Unix seconds>,v1=<hex>[,v1=<hex>...]`: one of the signatures must be the
 * HMAC-SHA256 of `<time>.<body>` under one of the secrets (https://docs.stripe.com/webhooks#verify-manually). Stripe
 * sends a signature for each secret while one replaces another. Parts of other schemes, such as `v0`, are ignored.
 *
 * @param text the body as it was sent
 * @throws ApiError BAD_REQUEST
 */
export const verifyStripeSignature = (
  text: string,
  header: string | undefined,
  secrets: readonly string[],
  nowMs: number,
): void => {
  if (header === undefined) throw badRequest('Stripe-Signature: is missing.')
  const parts = header.split(',')
  const times = parts.filter((part) => part.trim().startsWith('t='))
  const [time = ''] = times
  if (times.length !== 1 || !/^t=\d{1,12}$/.test(time))
    throw badRequest('Stripe-Signature: must have one time, t, in Unix seconds.')
  const seconds = time.slice('t='.length)
  if (Math.abs(nowMs - Number(seconds) * 1000) > SIGNATURE_TOLERANCE_SECONDS * 1000) {
    throw badRequest(
      `Stripe-Signature: the time is more than ${SIGNATURE_TOLERANCE_SECONDS} seconds from the server's.`,
    )
  }
  const signatures = parts.filter((part) => part.startsWith('v1'))
  if (signatures.length === 0 || !signatures.every((part) => /^v1=[0-9a-f]{64}$/.test(part))) {
    throw badRequest('Stripe-Signature: must have a signature, v1, in 64 hexadecimal digits.')
  }
  const given = signatures.map((part) => Buffer.from(part.slice('v1='.length), 'hex'))
  const wanted = secrets.map((secret) => createHmac('sha256', secret).update(`${seconds}.${text}`).digest())
  if (!wanted.some((one) => given.some((other) => timingSafeEqual(one, other))))
    throw badRequest('Stripe-Signature: does not match the body.')
}
