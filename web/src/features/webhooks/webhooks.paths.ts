export const webhooksPaths = {
  webhooks: (slug: string) => `/o/${slug}/settings/webhooks`,
} as const
