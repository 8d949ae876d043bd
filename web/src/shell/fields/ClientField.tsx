import { Autocomplete, type AutocompleteProps } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { query } from '../../api/api.ts'
import { useOrganization } from '../context/organization.tsx'

const OFFERED = 20
const TYPING_MS = 200

/** Names of visible clients that contain this text. */
export const useClientNames = (text: string): string[] => {
  const { id } = useOrganization()
  const [q] = useDebouncedValue(text.trim(), TYPING_MS)
  const { data } = useQuery({
    ...query(id, 'listClients', { query: { perPage: OFFERED, sort: 'name', order: 'asc', ...(q && { q }) } }),
    placeholderData: keepPreviousData,
  })
  return [...new Set((data?.data ?? []).map(({ name }) => name))]
}

/** Name of a client: one of the visible clients, or a new one. */
export const ClientField = ({ value = '', ...props }: AutocompleteProps) => (
  <Autocomplete
    description="Select a client, or write the name of a new one."
    maxLength={200}
    data={useClientNames(value)}
    value={value}
    {...props}
  />
)
