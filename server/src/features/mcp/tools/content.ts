import { invalid } from '../../../platform/errors.ts'

/** Arguments for the bytes of a file. */
export const CONTENT = {
  content: { type: 'string', description: 'the file as text; this or `contentBase64`' },
  contentBase64: { type: 'string', description: 'the file in Base64; for anything that is not text' },
}

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/

/**
 * The bytes that the arguments give.
 *
 * @throws ApiError VALIDATION_ERROR unless there is exactly one of them, and it is valid
 */
export const contentOf = (content: unknown, contentBase64: unknown): Buffer => {
  if ((content === undefined) === (contentBase64 === undefined))
    throw invalid('content: give either content or contentBase64')
  if (content !== undefined) {
    if (typeof content !== 'string') throw invalid('content: must be text')
    return Buffer.from(content)
  }
  if (typeof contentBase64 !== 'string' || contentBase64.length % 4 !== 0 || !BASE64.test(contentBase64))
    throw invalid('contentBase64: must be Base64 with padding, without line breaks')
  return Buffer.from(contentBase64, 'base64')
}
