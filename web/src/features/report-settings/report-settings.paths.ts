export const reportSettingsPaths = {
  reportSettings: (slug: string) => `/o/${slug}/settings/reports`,
} as const
