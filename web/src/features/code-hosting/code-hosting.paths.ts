export const codeHostingPaths = {
  codeHosting: (slug: string) => `/o/${slug}/settings/code-hosting`,
  instanceCodeHosting: () => '/instance/code-hosting',
} as const
