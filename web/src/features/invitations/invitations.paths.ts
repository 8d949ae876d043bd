export const invitationsPaths = {
  invitations: (slug: string) => `/o/${slug}/settings/invitations`,
} as const
