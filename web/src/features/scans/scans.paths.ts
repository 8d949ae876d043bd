export const scansPaths = {
  scans: (slug: string, engagementId: string) => `/o/${slug}/engagements/${engagementId}/scans`,
  newScan: (slug: string, engagementId: string) => `/o/${slug}/engagements/${engagementId}/scans/new`,
  scanSchedules: (slug: string, engagementId: string) => `/o/${slug}/engagements/${engagementId}/scans/schedules`,
  openScan: (slug: string, engagementId: string, scanId: string) =>
    `/o/${slug}/engagements/${engagementId}/scans/${scanId}`,
  /** Address of a scan by id only; redirects into its engagement. */
  scan: (slug: string, scanId: string) => `/o/${slug}/scans/${scanId}`,
} as const
