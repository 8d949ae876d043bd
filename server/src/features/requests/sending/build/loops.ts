import type { IncomingHttpHeaders } from 'node:http'
import { invalid } from '../../../../platform/errors.ts'
import { type Header, hasHeader } from './headers.ts'
import type { Address } from './written-address.ts'

const EXECUTED = 'sortie-executed'
/** Paths of all endpoints that execute requests. */
const EXECUTING = /\/(?:api-requests|request-folders)\//i

/**
 * Marks a request that may execute another one, at this or another instance. Other requests stay as written, because
 * testers compare them byte by byte.
 */
export const markedAgainstLoops = ({ url, path }: Address, headers: Header[]): Header[] =>
  [url.pathname, path].some((each) => EXECUTING.test(decoded(each))) && !hasHeader(headers, EXECUTED)
    ? [...headers, [EXECUTED, '1']]
    : headers

/** @throws ApiError VALIDATION_ERROR for a request that was itself executed, which could loop without end */
export const refuseLoop = (headers: IncomingHttpHeaders): void => {
  if (headers[EXECUTED] !== undefined) throw invalid(`${EXECUTED}: a request sent by Sortie cannot send another`)
}

const decoded = (path: string): string => {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
