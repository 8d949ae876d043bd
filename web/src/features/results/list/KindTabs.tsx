import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { query } from '../../../api/api.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { KIND_PLURALS, KINDS, type Kind } from '../labels.ts'
import classes from '../results.module.css'
import type { ResultFilters } from './filters.ts'

interface KindTabsProps {
  filters: ResultFilters
  /** The filtered kind; undefined if several are selected. */
  kind: string | undefined
  onChange: (kind: Kind | undefined) => void
}

/** Tabs for all results and for each kind, with counts; omits empty kinds. */
export const KindTabs = ({ filters, kind, onChange }: KindTabsProps) => {
  const organization = useOrganization()
  const { kind: _, ...others } = filters
  const counts = useQuery({
    ...query(organization.id, 'countResults', { query: { ...others, by: ['kind'] } }),
    placeholderData: keepPreviousData,
  })
  const byKind = counts.data?.data.kind ?? {}
  const shown = KINDS.filter(
    (candidate) => candidate === kind || (byKind[candidate] !== 0 && byKind[candidate] !== undefined),
  )
  return (
    <div className={classes.tabs} role="group" aria-label="Kind of result">
      <button
        type="button"
        className={classes.tab}
        aria-pressed={kind === undefined}
        onClick={() => onChange(undefined)}
      >
        All
      </button>
      {shown.map((candidate) => (
        <button
          key={candidate}
          type="button"
          className={classes.tab}
          aria-pressed={kind === candidate}
          onClick={() => onChange(candidate)}
        >
          {`${KIND_PLURALS[candidate]} `}
          <span className={classes.number}>{byKind[candidate] === null ? '10,000+' : byKind[candidate]}</span>
        </button>
      ))}
    </div>
  )
}
