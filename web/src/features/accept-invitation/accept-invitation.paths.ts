export const acceptInvitationPaths = {
  acceptInvitation: () => '/invitations/accept',
} as const
