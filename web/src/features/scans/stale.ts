import type { Tenant, WebCall } from '../../api/api.ts'

/** Reads that become stale when a scan starts or ends. */
export const staleAfterScans = (organizationId: string): readonly (readonly [Tenant, WebCall])[] =>
  (['listScans', 'getScan', 'listScanLog', 'getEngagementOverview'] as const).map((name) => [organizationId, name])

export const staleAfterSchedules = (organizationId: string): readonly (readonly [Tenant, WebCall])[] =>
  (['listScanSchedules', 'getScanSchedule'] as const).map((name) => [organizationId, name])
