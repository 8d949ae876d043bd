export const membersPaths = {
  members: (slug: string) => `/o/${slug}/settings/members`,
} as const
