const inside = (page: string) => (slug: string, engagementId: string) => `/o/${slug}/engagements/${engagementId}${page}`

export const engagementsPaths = {
  engagements: (slug: string) => `/o/${slug}/engagements`,
  deletedEngagements: (slug: string) => `/o/${slug}/settings/deleted-engagements`,
  engagement: inside(''),
  engagementActivity: inside('/activity'),
  engagementFiles: inside('/files'),
  engagementSettings: inside('/settings'),
} as const
