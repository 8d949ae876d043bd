import { Select } from '@mantine/core'
import { Choice } from '../../../ui/fields/Choice.tsx'

interface LongChoiceProps {
  label: string
  data: readonly { value: string; label: string }[]
  value: string
  onChange: (value: string) => void
  'data-autofocus'?: true
}

/** A list with more values is searched, since each of them would be an element of the page. */
const MAX_LISTED = 200
const SHOWN = 100

/** A value from a list of any length. In a long one, the first hundred that have the typed text are offered. */
export const LongChoice = ({ data, value, onChange, ...props }: LongChoiceProps) =>
  data.length <= MAX_LISTED ? (
    <Choice {...props} data={data} value={value} onChange={onChange} />
  ) : (
    <Select
      {...props}
      searchable
      limit={SHOWN}
      nothingFoundMessage="Nothing found"
      data={data}
      value={value}
      onChange={(chosen) => chosen !== null && onChange(chosen)}
      comboboxProps={{ transitionProps: { duration: 0 } }}
      maxDropdownHeight={320}
    />
  )
