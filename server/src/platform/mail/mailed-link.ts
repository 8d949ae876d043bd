import type { Config } from '../config.ts'

/**
 * The address of a mailed link. Its token is in the fragment, which browsers do not send to a server: it does not
 * appear in the logs of proxies or in `Referer`.
 *
 * @param path page of the web interface, which reads the token with `useMailedToken`
 */
export const mailedLink = ({ FRONTEND_URL }: Pick<Config, 'FRONTEND_URL'>, path: string, token: string): string =>
  `${FRONTEND_URL}${path}#token=${token}`
