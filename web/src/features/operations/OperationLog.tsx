import type { Input } from '@sortie/client/calls.ts'
import type { ReactNode } from 'react'
import { call, linkTo } from '../../api.ts'
import { said } from '../../search.ts'
import { GridView } from '../../shell/GridView.tsx'
import { useOrganization } from '../../shell/organization.tsx'
import { useRows } from '../../ui/grid/use-rows.ts'
import { COLUMNS } from './columns.tsx'
import { NothingLogged } from './Coverage.tsx'
import { OperationPeek } from './OperationPeek.tsx'
import type { OperationsSearch } from './operations-search.ts'
import { Question } from './Question.tsx'

interface OperationLogProps {
  /** Whose log it is: of an engagement, or of what was sent without one. */
  place: { engagementId: string } | { organization: true }
  search: OperationsSearch
  /** @param isKept whether it takes the place of the last entry of the history */
  onSearch: (search: OperationsSearch, isKept: boolean) => void
  /** Offered where there is nothing. */
  action?: ReactNode
  /** Between the question and its answer. */
  children?: ReactNode
}

/** The question "was that us?", and what the log says. */
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
  const list = useRows({
    queryKey: [organization.id, 'listOperations', filters, order],
    read: (window, signal) => call(organization.id, 'listOperations', { query: { ...filters, ...window, order } }, { signal }),
  })
  const isAsked = address !== undefined || at !== undefined || kind !== undefined || scanId !== undefined
  return (
    <>
      <Question asked={{ address, at, kind }} onAsk={(asked) => onSearch(said({ ...asked, order: search.order }), false)} />
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
        peek={{ id: peek, onChange: (id) => onSearch(said({ ...search, peek: id }), true), render: (_, row) => row && <OperationPeek operation={row} /> }}
        csvHref={linkTo(organization.id, 'exportOperations', { query: filters })}
        empty={<NothingLogged isAsked={isAsked} action={action} />}
      />
    </>
  )
}
