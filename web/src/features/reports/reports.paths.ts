export const reportsPaths = {
  reports: (slug: string, engagementId: string) => `/o/${slug}/engagements/${engagementId}/reports`,
  report: (slug: string, engagementId: string, reportId: string) =>
    `/o/${slug}/engagements/${engagementId}/reports/${reportId}`,
  /** Address of a report by id only; redirects into its engagement. */
  reportById: (slug: string, reportId: string) => `/o/${slug}/reports/${reportId}`,
} as const
