export const auditPaths = {
  audit: (slug: string) => `/o/${slug}/settings/audit`,
} as const
