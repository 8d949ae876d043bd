import { badRequest } from '../../errors.ts'
import { type IdPrefix, isId } from '../../ids.ts'

interface CursorQuery {
  cursor: string | undefined
  perPage: number
}

/**
 * One page of a list that is read by cursor (open point 25): the cursor is the id of the last row of the previous page.
 *
 * @param prefix of the ids that are cursors; undefined for ids of another system
 * @param read up to `limit` rows after the cursor
 * @throws ApiError BAD_REQUEST for a cursor that cannot come from this list
 */
export const readPage = async <Row>(
  { cursor, perPage }: CursorQuery,
  prefix: IdPrefix | undefined,
  read: (after: string | undefined, limit: number) => Promise<Row[]>,
  cursorOf: (row: Row) => string | null,
) => {
  if (cursor !== undefined && prefix !== undefined && !isId(prefix, cursor))
    throw badRequest('cursor: must be a cursor of this list')
  // One extra row shows whether there is a next page.
  const found = await read(cursor, perPage + 1)
  const rows = found.slice(0, perPage)
  const last = rows.at(-1)
  return { rows, meta: { perPage, nextCursor: found.length > perPage && last !== undefined ? cursorOf(last) : null } }
}

/** The `meta` of a list by page number (specification, section 4). */
export const pageMeta = ({ page, perPage }: { page: number; perPage: number }, total: number) => ({
  total,
  page,
  perPage,
  totalPages: Math.ceil(total / perPage),
})
