/** How a session was made. */
export type SignInMethod = 'password' | 'passkey' | 'oidc' | 'workos'

/** Whether the identity provider vouched for a session made in this way. */
export const isDelegated = (method: SignInMethod): boolean => method === 'oidc' || method === 'workos'
