import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'
import type { Counts } from '../../ui/filters/counts.ts'
import classes from '../../ui/filters/filters.module.css'
import type { FilterValues } from '../../ui/filters/filters.ts'

/** All verdicts but `out`. An engagement without rules has only `unknown`, and shows everything. */
const NOT_OUT = 'in,caution,unknown'
const ALL = 'in,caution,out,unknown'

/** The view without filters: kinds are tabs of it. */
const isUsualView = (values: FilterValues): boolean => Object.keys(values).every((name) => name === 'kind')

/**
 * What a list of targets or results reads: its usual view leaves out what is out of scope; any filter searches
 * everything.
 */
export const usuallyInScope = <V extends FilterValues>(values: V): V =>
  isUsualView(values) ? { ...values, verdict: NOT_OUT } : values

/**
 * How many rows the usual view leaves out: 0 in any other view, null for more than 10,000.
 * @param counts counts the rows by verdict
 */
export const useHiddenCount = (values: FilterValues, counts: Counts): number | null => {
  const isUsual = isUsualView(values)
  const { data } = useQuery({ ...counts, enabled: isUsual })
  return isUsual && data ? (data['out'] === undefined ? 0 : data['out']) : 0
}

interface OutOfScopeHiddenProps {
  hidden: number | null
  values: FilterValues
  onChange: (values: FilterValues) => void
}

const shownWith = ({ values, onChange }: Pick<OutOfScopeHiddenProps, 'values' | 'onChange'>) =>
  onChange({ ...values, verdict: ALL })

/** “25 out of scope hidden”: a chip that shows them, too. */
export const OutOfScopeHidden = ({ hidden, ...rest }: OutOfScopeHiddenProps) =>
  hidden !== 0 && (
    <span className={classes.chip}>
      <button type="button" className={classes.chipButton} title="Show them" onClick={() => shownWith(rest)}>
        {hidden === null ? 'More than 10,000' : hidden.toLocaleString('en')} out of scope hidden
      </button>
    </span>
  )

/** In place of rows, where all of them are out of scope. */
export const AllOutOfScope = ({
  noun,
  ...rest
}: Pick<OutOfScopeHiddenProps, 'values' | 'onChange'> & { noun: string }) => (
  <EmptyState
    title={`All ${noun} are out of scope`}
    action={
      <Button variant="default" onClick={() => shownWith(rest)}>
        Show them
      </Button>
    }
  />
)
