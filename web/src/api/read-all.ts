/** Page limit: as many requests as one import of the server creates. */
const MAX_PAGES = 20
const PER_PAGE = 100

interface Page<T> {
  data: T[]
  meta: { nextCursor: string | null }
}

/** Reads a list to its end, page by page: 2,000 rows at most. */
export const readAll = async <T>(
  read: (window: { perPage: number; cursor?: string }) => Promise<Page<T>>,
): Promise<T[]> => {
  const rows: T[] = []
  let cursor: string | null | undefined
  for (let page = 0; page < MAX_PAGES && cursor !== null; page++) {
    const { data, meta } = await read({ perPage: PER_PAGE, ...(cursor && { cursor }) })
    rows.push(...data)
    cursor = meta.nextCursor
  }
  return rows
}
