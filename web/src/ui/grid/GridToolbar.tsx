import { Button, Text } from '@mantine/core'
import { IconDownload } from '../icons.tsx'
import { DisplayMenu } from './columns/DisplayMenu.tsx'
import type { GridTable } from './columns/use-grid-columns.ts'
import type { GridProps } from './grid-props.ts'
import classes from './grid.module.css'

const NUMBER = new Intl.NumberFormat('en')

/** Filters, row count, export and display options. */
export const GridToolbar = <Row,>({
  filters,
  views,
  list,
  nouns,
  csvHref,
  columns,
  sort,
  onSort,
  table,
}: GridProps<Row> & { table: GridTable }) => (
  <div className={classes.toolbar}>
    <div className={classes.filters}>{filters}</div>
    <Text size="xs" c="dimmed" role="status" className={classes.count}>
      {countOf(list, nouns)}
      {list.isStale && ', reading …'}
    </Text>
    {views}
    {csvHref && (
      <Button
        component="a"
        href={csvHref}
        download
        variant="default"
        size="compact-sm"
        leftSection={<IconDownload size={14} aria-hidden />}
      >
        CSV
      </Button>
    )}
    <DisplayMenu columns={columns} table={table} sort={sort} onSort={onSort} />
  </div>
)

/**
 * `12,345 targets`; `more than 100 targets`, as many as were read, where the server does not count on; `100+ targets`
 * where it counts nothing.
 */
const countOf = (
  { total, rows: { length: read }, hasMore }: GridProps<unknown>['list'],
  [one, many]: GridProps<unknown>['nouns'],
): string => {
  const counted = (count: number) => `${NUMBER.format(count)} ${count === 1 ? one : many}`
  if (total === null) return `more than ${NUMBER.format(read)} ${many}`
  if (total !== undefined) return counted(total)
  if (hasMore) return `${NUMBER.format(read)}+ ${many}`
  return read > 0 ? counted(read) : ''
}
