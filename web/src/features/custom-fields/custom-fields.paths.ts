export const customFieldsPaths = {
  customFields: (slug: string) => `/o/${slug}/settings/fields`,
} as const
