export const passwordResetPaths = {
  passwordReset: () => '/password-reset',
} as const
