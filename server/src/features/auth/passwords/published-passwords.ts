/** The password of the first account in earlier versions, unless the operator chose another one. */
export const FORMER_DEFAULT_PASSWORD = 'sortie-change-me'

/**
 * Passwords that the documentation or the sources of this product have named. No account can sign in with one of them,
 * from any address: behind a reverse proxy every client looks local (finding S28).
 */
export const PUBLISHED_PASSWORDS: readonly string[] = [FORMER_DEFAULT_PASSWORD, 'a look around sortie']
