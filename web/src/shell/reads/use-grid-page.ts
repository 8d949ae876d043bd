import { useLocation, useRouter } from '@tanstack/react-router'
import { type FilterDefinition, type FilterValues, filterValues, toSearch } from '../../ui/filters/filters.ts'
import type { GridSort } from '../../ui/grid/columns/columns.ts'

type Order = 'asc' | 'desc'

/** What the address of a grid has, as `validateSearch` of its route returns it. */
interface GridSearch<By extends string> {
  sort?: By | undefined
  order?: Order | undefined
  peek?: string | undefined
}

interface GridPageOptions<By extends string> {
  definitions?: readonly FilterDefinition[]
  /** Sort of an address that names none. */
  sort: By
  order: Order
  /** The list has one sort: only its order is in the address. */
  hasOneSort?: boolean
}

type Search = Readonly<Record<string, unknown>>

/**
 * Filters, sort and preview of a grid, which are in the address of its page.
 * @param navigate `useNavigate` of the route of the page
 */
export const useGridPage = <By extends string>(
  search: GridSearch<By>,
  navigate: (options: never) => unknown,
  { definitions = [], sort: usualSort, order: usualOrder, hasOneSort = false }: GridPageOptions<By>,
) => {
  // The type of a route's `navigate` names its own search params; these are common to the grids.
  const go = navigate as (options: { search: (current: Search) => Search; replace?: boolean }) => void
  const { sort = usualSort, order = usualOrder, peek } = search
  const values = filterValues({ ...search }, definitions)
  /** @param id undefined closes the preview */
  const setPeek = (id: string | undefined): void =>
    go({
      search: ({ peek: _, ...rest }) => (id === undefined ? rest : { ...rest, peek: id }),
      replace: peek !== undefined,
    })
  /** Shows other rows: the sort stays, and preview and dialogs close. */
  const filter = (next: FilterValues): void =>
    go({
      search: (current) => ({
        ...toSearch(next),
        ...(current['sort'] !== undefined && { sort: current['sort'] }),
        ...(current['order'] !== undefined && { order: current['order'] }),
      }),
    })
  const onSort = (next: GridSort): void =>
    go(
      hasOneSort
        ? { search: (rest) => ({ ...rest, order: next.order }), replace: true }
        : { search: (rest) => ({ ...rest, sort: next.by, order: next.order }) },
    )
  return {
    values,
    isFiltered: Object.keys(values).length > 0,
    /** Sort and order as the API takes them. */
    ordered: { sort, order },
    /** Properties of the grid. */
    sorting: { sort: { by: sort, order }, onSort },
    /** Properties of the filter bar. */
    filtering: { definitions, values, onChange: filter },
    filter,
    peek,
    setPeek,
  }
}

/** Addresses of this list with the preview of a row. */
export const usePreviewHref = (): ((key: string) => string) => {
  const router = useRouter()
  const { pathname, search } = useLocation()
  return (key) => router.history.createHref(`${pathname}${router.options.stringifySearch({ ...search, peek: key })}`)
}
