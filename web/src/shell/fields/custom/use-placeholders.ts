import { useQuery } from '@tanstack/react-query'
import { query } from '../../../api/api.ts'
import { fieldPlaceholders, REPORT_PLACEHOLDERS } from '../../../domain/reports/report-placeholders.ts'
import type { Placeholder } from '../../../ui/text-editor/placeholder-completion.ts'
import { useOrganization } from '../../context/organization.tsx'

/** Placeholders that the texts of a report may have, with those of custom fields. */
export const usePlaceholders = (): readonly Placeholder[] => {
  const { id } = useOrganization()
  const own = { staleTime: 60_000 }
  const engagement = useQuery({ ...query(id, 'listFieldDefinitions', { query: { objectType: 'engagement' } }), ...own })
  const client = useQuery({ ...query(id, 'listFieldDefinitions', { query: { objectType: 'client' } }), ...own })
  return [
    ...REPORT_PLACEHOLDERS,
    ...fieldPlaceholders('engagement', engagement.data?.data ?? []),
    ...fieldPlaceholders('client', client.data?.data ?? []),
  ]
}
