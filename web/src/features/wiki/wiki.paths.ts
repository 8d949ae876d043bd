export const wikiPaths = {
  wiki: (slug: string) => `/o/${slug}/wiki`,
  wikiPage: (slug: string, pageId: string) => `/o/${slug}/wiki/${pageId}`,
  engagementWiki: (slug: string, engagementId: string) => `/o/${slug}/engagements/${engagementId}/wiki`,
  engagementWikiPage: (slug: string, engagementId: string, pageId: string) =>
    `/o/${slug}/engagements/${engagementId}/wiki/${pageId}`,
} as const
