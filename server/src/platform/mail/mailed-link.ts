import type { Config } from '../config.ts'

/**
 * The address of a mailed link. Its token is in the fragment: browsers do not send that to a server, so the token does not
 * get into the logs of proxies, nor into `Referer`.
 *
 * @param path page of the web interface, which reads the token with `useMailedToken`
 */
export const mailedLink = ({ FRONTEND_URL }: Pick<Config, 'FRONTEND_URL'>, path: string, token: string): string => `${FRONTEND_URL}${path}#token=${token}`
