export const billingPaths = {
  billing: (slug: string) => `/o/${slug}/settings/billing`,
  instanceBilling: () => '/instance/billing',
} as const
