import type { ApiRequest, RequestSummary } from '@sortie/contract/requests/api-requests.ts'
import type { RUN_STATES } from '@sortie/contract/requests/request-runs.ts'
import type { Static } from 'typebox'
import type { AuthInput } from '../secrets.ts'
import type { Definition } from './definition.ts'
import type { RequestRow, RequestSummaryRow } from './requests.queries.ts'

export const toRequestSummary = (row: RequestSummaryRow): Static<typeof RequestSummary> => ({
  id: row.id,
  engagementId: row.engagement_id,
  folderId: row.folder_id,
  name: row.name,
  method: row.method,
  url: row.url,
  position: row.position,
  lastRun: row.last_run && { ...row.last_run, state: row.last_run.state as (typeof RUN_STATES)[number] },
  createdBy: row.created_by === null ? null : { id: row.created_by, name: row.created_by_name as string },
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

/** Never includes secrets, which are in a separate column. */
export const toRequest = (row: RequestRow): Static<typeof ApiRequest> => ({
  ...toRequestSummary(row),
  description: row.description,
  ...(row.definition as Definition & { auth: AuthInput }),
})
