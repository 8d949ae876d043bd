import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { query } from '../../../api/api.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { keepPrevious } from '../../../ui/lists/keep-previous.ts'

const OFFERED = 20
const QUIET_MS = 200

export interface ChosenEntry {
  id: string
  title: string
}

/** Chooses an approved entry of the library by its title or key. */
export const LibraryField = ({
  value,
  onChange,
}: {
  value: ChosenEntry | null
  onChange: (entry: ChosenEntry | null) => void
}) => {
  const { id } = useOrganization()
  const [typed, setTyped] = useState('')
  const [q] = useDebouncedValue(typed === value?.title ? '' : typed.trim(), QUIET_MS)
  const { data } = useQuery({
    ...query(id, 'listLibraryEntries', {
      query: { state: ['approved'], sort: 'title', order: 'asc', perPage: OFFERED, ...(q && { q: q.slice(0, 200) }) },
    }),
    placeholderData: keepPrevious([id, 'listLibraryEntries']),
  })
  const titles = new Map((data?.data ?? []).map((entry) => [entry.id, entry.title]))
  if (value) titles.set(value.id, value.title)
  return (
    <Select
      label="From the library"
      description="The finding gets its texts, ids and severity."
      placeholder="Nothing: an empty finding"
      data={[...titles].map(([entryId, title]) => ({ value: entryId, label: title }))}
      value={value?.id ?? null}
      searchable
      clearable
      // The server searches.
      filter={({ options }) => options}
      onSearchChange={setTyped}
      onChange={(entryId) => onChange(entryId === null ? null : { id: entryId, title: titles.get(entryId) ?? '' })}
      nothingFoundMessage="No approved entry matches"
    />
  )
}
