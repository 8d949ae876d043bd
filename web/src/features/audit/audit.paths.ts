export const auditPaths = {
  audit: (slug: string) => `/o/${slug}/settings/audit`,
  instanceAudit: () => '/instance/audit',
} as const
