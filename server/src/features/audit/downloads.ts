import type { Actor } from '../../platform/auth/actor.ts'
import type { Writer } from '../../platform/context.ts'
import type { NotedDownload } from '../../platform/http/routes/steps/mounting.ts'
import { DOWNLOADED } from './audit.queries.ts'
import { recordAudit } from './audit.service.ts'

/** Endpoints whose own entry says more than this one. */
const RECORDED_BY_FEATURE: ReadonlySet<string> = new Set([
  'exportAuditEntries',
  'downloadReportEdition',
  // A program that polls the log would otherwise read its own entry each time.
  'listAuditLogs',
])

/**
 * Records a download in the audit log (design: operation O10). An engagement's activity does not show it.
 */
export const recordDownload = async (
  { change, clock }: Writer,
  actor: Actor,
  { endpointId, fileName, params, query }: NotedDownload,
): Promise<void> => {
  if (RECORDED_BY_FEATURE.has(endpointId)) return
  const [parameter, id] = Object.entries(params).at(-1) ?? []
  const engagementId = params['engagementId'] ?? textOf(query['engagementId'])
  const object =
    parameter !== undefined && id !== undefined
      ? { type: parameter.replace(/Id$/, ''), id }
      : engagementId
        ? { type: 'engagement', id: engagementId }
        : { type: 'organization', id: actor.organizationId }
  await change((tx) =>
    recordAudit(tx, actor, clock, {
      action: DOWNLOADED,
      object,
      ...(engagementId && { engagementId }),
      after: { fileName, endpoint: endpointId, filteredBy: Object.keys(query).filter((name) => name !== 'format') },
    }),
  )
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)
