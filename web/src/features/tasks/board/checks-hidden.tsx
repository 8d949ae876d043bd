import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { query } from '../../../api/api.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import classes from '../../../ui/filters/filters.module.css'
import type { FilterValues } from '../../../ui/filters/filters.ts'

/** Tasks that are not checks of a methodology. */
const NO_CHECKS = { methodologyId: 'none' } as const

/** What the board reads: without filters it leaves out the checks of methodologies, which the matrix shows. */
export const usuallyWithoutChecks = (values: FilterValues, showsChecks: boolean): FilterValues =>
  showsChecks || Object.keys(values).length > 0 ? values : NO_CHECKS

/** How many checks the board leaves out: 0 in any other view, null for more than are counted. */
export const useHiddenChecks = (engagementId: string, values: FilterValues, showsChecks: boolean): number | null => {
  const { id } = useOrganization()
  const isUsual = usuallyWithoutChecks(values, showsChecks) === NO_CHECKS
  const count = (filter: object) => ({
    ...query(id, 'countTasks', { query: { engagementId, by: ['status'], ...filter } }),
    enabled: isUsual,
  })
  const all = sumOf(useQuery(count({})).data?.data.status)
  const others = sumOf(useQuery(count({ methodologyId: ['none'] })).data?.data.status)
  if (!isUsual || all === undefined || others === undefined) return 0
  return all === null ? null : all - (others ?? 0)
}

const sumOf = (counts: Record<string, number | null> | null | undefined): number | null | undefined => {
  if (!counts) return undefined
  const values = Object.values(counts)
  return values.includes(null) ? null : values.reduce<number>((sum, value) => sum + (value ?? 0), 0)
}

interface ChecksHiddenProps {
  hidden: number | null
  showsChecks: boolean
  onChange: (showsChecks: boolean) => void
}

/** “388 checks hidden”: a chip that shows them, and hides them again. */
export const ChecksHidden = ({ hidden, showsChecks, onChange }: ChecksHiddenProps) =>
  (hidden !== 0 || showsChecks) && (
    <span className={classes.chip}>
      <button
        type="button"
        className={classes.chipButton}
        title={showsChecks ? 'Hide them' : 'Show them'}
        onClick={() => onChange(!showsChecks)}
      >
        {showsChecks
          ? 'Checks shown'
          : `${hidden === null ? 'Many' : hidden.toLocaleString('en')} ${hidden === 1 ? 'check' : 'checks'} hidden`}
      </button>
    </span>
  )

/** In place of the columns, where all tasks are checks. */
export const OnlyChecks = ({ onShow }: { onShow: () => void }) => (
  <EmptyState
    title="All tasks are checks of a methodology"
    action={
      <Button variant="default" onClick={onShow}>
        Show them
      </Button>
    }
  >
    The coverage page shows them as a matrix.
  </EmptyState>
)
