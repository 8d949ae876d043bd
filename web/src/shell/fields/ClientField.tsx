import { Autocomplete, type AutocompleteProps } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { query } from '../../api/api.ts'
import { useOrganization } from '../context/organization.tsx'

const OFFERED = 20
const TYPING_MS = 200

/** Name of a client: one of the visible clients, or a new one. */
export const ClientField = ({ value = '', ...props }: AutocompleteProps) => {
  const { id } = useOrganization()
  const [q] = useDebouncedValue(value.trim(), TYPING_MS)
  const { data } = useQuery({
    ...query(id, 'listClients', { query: { perPage: OFFERED, sort: 'name', order: 'asc', ...(q && { q }) } }),
    placeholderData: keepPreviousData,
  })
  const names = [...new Set((data?.data ?? []).map(({ name }) => name))]
  return (
    <Autocomplete
      description="Select a client, or write the name of a new one."
      maxLength={200}
      data={names}
      value={value}
      {...props}
    />
  )
}
