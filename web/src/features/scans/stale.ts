import type { Tenant, WebCall } from '../../api.ts'

/** What a scan that begins or ends makes stale. */
export const staleAfterScans = (organizationId: string): readonly (readonly [Tenant, WebCall])[] =>
  (['listScans', 'getScan', 'listScanLog', 'getEngagementOverview'] as const).map((name) => [organizationId, name])

export const staleAfterSchedules = (organizationId: string): readonly (readonly [Tenant, WebCall])[] =>
  (['listScanSchedules', 'getScanSchedule'] as const).map((name) => [organizationId, name])
