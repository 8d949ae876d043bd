import type { WorkOS } from '@workos-inc/node'
import { badRequest } from '../../../../platform/errors.ts'

/** Maximum difference between the signed time and ours, in either direction. */
export const SIGNATURE_TOLERANCE_MS = 300_000

/**
 * Checks a `WorkOS-Signature` header: `t=<milliseconds>, v1=<hex of HMAC-SHA-256>`. The library does the cryptography;
 * it would accept a future time, and one with characters after its digits.
 *
 * @param secrets any one may match: during a rotation, both are in use
 * @throws ApiError BAD_REQUEST
 */
export const verifyWorkosSignature = async (
  { webhooks }: Pick<WorkOS, 'webhooks'>,
  text: string,
  header: string | undefined,
  secrets: readonly string[],
  nowMs: number,
): Promise<void> => {
  const [, time] = /^t=(\d{1,15}), ?v1=[0-9a-f]{64}$/.exec(header ?? '') ?? []
  if (header === undefined || time === undefined)
    throw badRequest(
      'WorkOS-Signature: must be a time, t, in milliseconds and a signature, v1, in 64 hexadecimal digits.',
    )
  if (Math.abs(nowMs - Number(time)) > SIGNATURE_TOLERANCE_MS) {
    throw badRequest(
      `WorkOS-Signature: the time is more than ${SIGNATURE_TOLERANCE_MS / 1000} seconds from the server's.`,
    )
  }
  for (const secret of secrets) if (await isSignedWith(webhooks, text, header, secret)) return
  throw badRequest('WorkOS-Signature: does not match the body.')
}

const isSignedWith = async (
  webhooks: WorkOS['webhooks'],
  text: string,
  sigHeader: string,
  secret: string,
): Promise<boolean> => {
  try {
    return await webhooks.verifyHeader({ payload: text, sigHeader, secret, tolerance: Number.MAX_SAFE_INTEGER })
  } catch (error) {
    if (error instanceof Error && error.name === 'SignatureVerificationException') return false
    throw error
  }
}
