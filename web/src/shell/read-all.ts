/** More than these are not read: as many requests as the server imports at once. */
const MAX_PAGES = 20
const PER_PAGE = 100

interface Page<T> {
  data: T[]
  meta: { nextCursor: string | null }
}

/** A list to its end, page after page: 2,000 rows at most. */
export const readAll = async <T>(read: (window: { perPage: number; cursor?: string }) => Promise<Page<T>>): Promise<T[]> => {
  const rows: T[] = []
  let cursor: string | null | undefined
  for (let page = 0; page < MAX_PAGES && cursor !== null; page++) {
    const { data, meta } = await read({ perPage: PER_PAGE, ...(cursor && { cursor }) })
    rows.push(...data)
    cursor = meta.nextCursor
  }
  return rows
}
