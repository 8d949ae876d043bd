import { Select, type SelectProps } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { query } from '../../api/api.ts'
import { keepPrevious } from '../../ui/lists/keep-previous.ts'
import { useOrganization } from '../context/organization.tsx'

interface EngagementSelectProps extends Omit<
  SelectProps,
  'data' | 'value' | 'onChange' | 'searchValue' | 'onSearchChange' | 'filter'
> {
  value?: string | null
  onChange?: (engagementId: string | null) => void
  /** Only engagements that allow sending. */
  onlyActive?: boolean
}

const SHOWN = 20
const DELAY_MS = 200

/** Selects one engagement or none, from the most recently changed or by name. Excludes archived ones. */
export const EngagementSelect = ({ value = null, onChange, onlyActive = false, ...props }: EngagementSelectProps) => {
  const { id } = useOrganization()
  const [text, setText] = useState('')
  const chosen = useQuery({
    ...query(id, 'getEngagement', { params: { engagementId: value ?? '' } }),
    enabled: value !== null,
  }).data?.data
  const [typed] = useDebouncedValue(text.trim(), DELAY_MS)
  const q = value !== null && typed === chosen?.name ? '' : typed
  const found = useQuery({
    ...query(id, 'listEngagements', { query: { perPage: SHOWN, sort: 'updatedAt', ...(q && { q }) } }),
    placeholderData: keepPrevious([id, 'listEngagements']),
  })
  const offered = (found.data?.data ?? []).filter(
    ({ status, id: itsId }) => (onlyActive ? status === 'active' : status !== 'archived') && itsId !== value,
  )
  return (
    <Select
      placeholder="None"
      searchable
      clearable
      maxLength={200}
      {...props}
      data={[...(chosen && value !== null ? [chosen] : []), ...offered].map((engagement) => ({
        value: engagement.id,
        label: engagement.name,
      }))}
      // No client-side filter: the server may match the client's name.
      filter={({ options }) => options}
      nothingFoundMessage={found.isFetching ? undefined : 'No engagement matches'}
      value={value}
      onChange={(engagementId) => onChange?.(engagementId)}
      searchValue={text}
      onSearchChange={setText}
    />
  )
}
