import { Button, Text } from '@mantine/core'
import { IconDownload } from '../icons.tsx'
import { DisplayMenu } from './DisplayMenu.tsx'
import classes from './grid.module.css'
import type { GridProps } from './Grid.tsx'
import type { GridTable } from './use-grid-columns.ts'

const NUMBER = new Intl.NumberFormat('en')

/** Filters, how many rows match, the document of them, and what is shown of them. */
export const GridToolbar = <Row,>({ filters, views, list, nouns, csvHref, columns, sort, onSort, table }: GridProps<Row> & { table: GridTable }) => (
  <div className={classes.toolbar}>
    <div className={classes.filters}>{filters}</div>
    <Text size="xs" c="dimmed" role="status" className={classes.count}>
      {countOf(list.total, list.rows.length, nouns)}
      {list.isStale && ', reading …'}
    </Text>
    {views}
    {csvHref && (
      <Button component="a" href={csvHref} download variant="default" size="compact-sm" leftSection={<IconDownload size={14} aria-hidden />}>
        CSV
      </Button>
    )}
    <DisplayMenu columns={columns} table={table} sort={sort} onSort={onSort} />
  </div>
)

/** `12,345 targets`; `more than 10,000 targets` where the server does not count on. */
const countOf = (total: number | null | undefined, read: number, [one, many]: GridProps<unknown>['nouns']): string => {
  const counted = (count: number) => `${NUMBER.format(count)} ${count === 1 ? one : many}`
  if (total === undefined) return read > 0 ? counted(read) : ''
  return total === null ? `more than 10,000 ${many}` : counted(total)
}
