import { useQuery } from '@tanstack/react-query'
import { query } from '../../api/api.ts'
import type { ReportKind } from '../../domain/reports/report-words.tsx'
import { useEngagement } from '../../shell/context/engagement.tsx'
import { useOrganization } from '../../shell/context/organization.tsx'

const TITLES: Record<ReportKind, string> = {
  final: 'Report',
  interim: 'Interim report',
  retest: 'Retest report',
  attestation: 'Attestation',
}

/** Title of a new report. */
export const titleOf = (engagementName: string, kind: ReportKind): string =>
  `${TITLES[kind]}: ${engagementName}`.slice(0, 300)

/** Templates that a report of the open engagement can use. */
export const useUsableTemplates = () => {
  const { id } = useOrganization()
  const { details } = useEngagement()
  const clientId = details.clientId
  return useQuery({
    ...query(id, 'listReportTemplates', { query: { usable: true, perPage: 100, sort: 'name', order: 'asc' } }),
    select: ({ data }) => ({
      data: data.filter((template) => template.clientId === null || template.clientId === clientId),
    }),
  })
}

/** The language of the client, else of the organization. */
export const useDefaultLanguage = () => {
  const { id } = useOrganization()
  const { details } = useEngagement()
  const { clientId } = details
  const settings = useQuery({ ...query(id, 'getReportSettings'), select: ({ data }) => data.language })
  const client = useQuery({
    ...query(id, 'getClient', { params: { clientId: clientId ?? '' } }),
    enabled: clientId !== null,
    select: ({ data }) => data.language,
  })
  const isOfClient = clientId !== null && client.error === null
  return {
    data: isOfClient && client.data === undefined ? undefined : (isOfClient && client.data) || settings.data,
    error: settings.error,
    isFetching: settings.isFetching || client.isFetching,
    refetch: settings.refetch,
  }
}
