import type { Input } from '@sortie/client/calls.ts'
import type { ReactNode } from 'react'
import { linkTo } from '../../../api/api.ts'
import { rows } from '../../../api/rows.ts'
import { definedParams } from '../../../search.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { GridView } from '../../../shell/reads/GridView.tsx'
import { useRows } from '../../../ui/grid/rows/use-rows.ts'
import type { OperationsSearch } from '../operations-search.ts'
import { COLUMNS } from './columns.tsx'
import { NothingLogged } from './Coverage.tsx'
import { OperationPeek } from './OperationPeek.tsx'
import { Question } from './Question.tsx'

interface OperationLogProps {
  /** Owner of the log: an engagement, or the organization for traffic without one. */
  place: { engagementId: string } | { organization: true }
  search: OperationsSearch
  /** @param isKept replaces the last history entry */
  onSearch: (search: OperationsSearch, isKept: boolean) => void
  /** Shown in the empty state. */
  action?: ReactNode
  /** Between the question and its result. */
  children?: ReactNode
}

/** Answers the question "was that us?" from the operation log. */
export const OperationLog = ({ place, search, onSearch, action, children }: OperationLogProps) => {
  const organization = useOrganization()
  const { address, at, kind, scanId, order = 'desc', peek } = search
  const filters: NonNullable<Input<'exportOperations'>['query']> = {
    ...place,
    ...(address !== undefined && { address }),
    ...(at !== undefined && { at }),
    ...(kind !== undefined && { kind: [kind] }),
    ...(scanId !== undefined && { scanId: [scanId] }),
  }
  const list = useRows(rows(organization.id, 'listOperations', { query: { ...filters, order } }))
  const isAsked = address !== undefined || at !== undefined || kind !== undefined || scanId !== undefined
  return (
    <>
      <Question
        asked={{ address, at, kind }}
        onAsk={(asked) => onSearch(definedParams({ ...asked, order: search.order }), false)}
      />
      {children}
      <GridView
        name="operations"
        label="Operations"
        nouns={['operation', 'operations']}
        columns={COLUMNS}
        list={list}
        rowKey={({ id }) => id}
        sort={{ by: 'startedAt', order }}
        onSort={(sort) => onSearch({ ...search, order: sort.order }, true)}
        peek={{
          id: peek,
          onChange: (id) => onSearch(definedParams({ ...search, peek: id }), true),
          render: (_, row) => row && <OperationPeek operation={row} />,
        }}
        csvHref={linkTo(organization.id, 'exportOperations', { query: filters })}
        empty={<NothingLogged isAsked={isAsked} action={action} />}
      />
    </>
  )
}
