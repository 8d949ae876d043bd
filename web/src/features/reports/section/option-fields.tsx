import { useQuery } from '@tanstack/react-query'
import { query } from '../../../api/api.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { Choice } from '../../../ui/fields/Choice.tsx'

interface OptionProps {
  /** What applies without a choice. */
  automatic: string
  value: string | null
  disabled: boolean
  onChange: (value: string | null) => void
}

const AUTOMATIC = 'automatic'

/** The methodology of a coverage section. */
export const MethodologyChoice = ({ automatic, value, disabled, onChange }: OptionProps) => {
  const { id } = useOrganization()
  const { data } = useQuery(query(id, 'listMethodologies', { query: { perPage: 100, sort: 'name', order: 'asc' } }))
  return (
    <Choice
      label="Methodology"
      disabled={disabled}
      data={[
        { value: AUTOMATIC, label: automatic },
        ...(data?.data ?? []).map((each) => ({ value: each.id, label: `${each.name} ${each.version}`.trim() })),
        // Deleted since, or not read yet.
        ...(value === null || data?.data.some((each) => each.id === value)
          ? []
          : [{ value, label: data ? 'A methodology that was deleted' : 'The chosen one' }]),
      ]}
      value={value ?? AUTOMATIC}
      onChange={(next) => onChange(next === AUTOMATIC ? null : next)}
    />
  )
}

/** The edition that a section of changes compares with. */
export const EditionChoice = ({
  reportId,
  automatic,
  value,
  disabled,
  onChange,
}: OptionProps & { reportId: string }) => {
  const { id } = useOrganization()
  const { data } = useQuery(query(id, 'listReportEditions', { params: { reportId } }))
  return (
    <Choice
      label="Compared with"
      disabled={disabled}
      data={[
        { value: AUTOMATIC, label: automatic },
        ...(data?.data ?? []).map((each) => ({ value: each.id, label: `Edition ${each.number}` })),
      ]}
      value={value ?? AUTOMATIC}
      onChange={(next) => onChange(next === AUTOMATIC ? null : next)}
    />
  )
}
