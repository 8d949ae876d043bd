import { type ReactNode, useEffect } from 'react'
import { ListSkeleton } from '../../ui/feedback/ListSkeleton.tsx'
import { type Column, DataTable } from '../../ui/lists/DataTable.tsx'
import { Pager } from '../../ui/lists/Pager.tsx'
import { QueryView, type Read } from './QueryView.tsx'

interface PageOfRows<Row> {
  data: Row[]
  meta: { total: number; page: number; totalPages: number }
}

interface PagedListProps<Row> {
  label: string
  /** The page in the address. */
  page: number
  list: Read<PageOfRows<Row>>
  /** Goes to another page; `replace` if the page in the address does not exist. */
  onPage: (page: number, options: { replace: boolean }) => void
  columns: Column<Row>[]
  rowKey: (row: Row) => string
  /** Singular and plural of the rows. */
  nouns: readonly [one: string, many: string]
  /** Shown instead of an empty list. */
  empty: ReactNode
}

/** A list with numbered pages. A page after the last one redirects to the last. */
export const PagedList = <Row,>({ label, page, list, onPage, columns, rowKey, nouns, empty }: PagedListProps<Row>) => {
  const meta = list.data?.meta
  const last = Math.max(1, meta?.totalPages ?? 1)
  const isBeyond = meta !== undefined && meta.page > last
  const mustLeave = isBeyond && !list.isPlaceholderData
  useEffect(() => {
    if (mustLeave) onPage(last, { replace: true })
  })
  const skeleton = <ListSkeleton rows={8} />
  if (isBeyond) return skeleton
  return (
    <QueryView query={list} skeleton={skeleton}>
      {({ data, meta: { total, totalPages } }) =>
        total === 0 ? (
          empty
        ) : (
          <>
            <DataTable label={label} columns={columns} rows={data} rowKey={rowKey} />
            <Pager
              page={page}
              totalPages={totalPages}
              total={total}
              noun={nouns[total === 1 ? 0 : 1]}
              onPage={(next) => onPage(next, { replace: false })}
            />
          </>
        )
      }
    </QueryView>
  )
}
