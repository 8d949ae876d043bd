export const noticesPaths = {
  inbox: (slug: string) => `/o/${slug}/inbox`,
} as const
