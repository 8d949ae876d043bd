import { useQuery } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { linkTo, query } from '../../../../api/api.ts'
import { useOrganization } from '../../../../shell/context/organization.tsx'

/** The read of the evidence of a finding, as its page shows it. */
export const evidenceOf = (organizationId: string, findingId: string) =>
  query(organizationId, 'listFindingFiles', { params: { findingId }, query: { perPage: 100 } })

/**
 * The address of a file that a text names. The server answers with what is shown in place of a redacted one; a page
 * that has loaded the original already needs another address.
 */
export const useFileAddress = (findingId: string, text: string): ((fileId: string) => string) => {
  const { id } = useOrganization()
  const { data } = useQuery({ ...evidenceOf(id, findingId), enabled: text.includes('fil_') })
  const shown = useMemo(
    () =>
      new Map<string, string>(
        data?.data.flatMap((file) => (file.redactedBy === null ? [] : [[file.id, file.redactedBy]])),
      ),
    [data],
  )
  return useCallback(
    (fileId) => linkTo(id, 'downloadFindingFile', { params: { findingId, fileId: shown.get(fileId) ?? fileId } }),
    [id, findingId, shown],
  )
}
