import type { AuthInput } from '../../secrets.ts'
import { type Imported, listIn, objectIn, type pair, textIn } from '../imported.ts'

type Tell = (reason: string) => void

const MAX_SERVERS = 20

/** Creates an environment per server: the first has the file's name, others add their description or URL. */
export const readServers = (file: unknown, name: string, imported: Imported): void => {
  const servers = listIn(file, 'servers')
  for (const server of servers.length === 0 ? [{}] : servers.slice(0, MAX_SERVERS)) {
    const value = addressOf(server)
    if (value !== '' && !isAbsolute(value)) {
      imported.problems.push({
        position: `server ${imported.environments.length + 1}`,
        reason: `${value.slice(0, 200)} has no host: complete baseUrl in its environment`,
      })
    }
    const own = textIn(server, 'description') ?? value
    const isFirst = imported.environments.length === 0
    const full = isFirst ? name : `${name}: ${own.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, ' ')}`
    imported.environments.push({
      name: full.slice(0, 200).toWellFormed().trim(),
      variables: [{ name: 'baseUrl', value, secret: false }],
    })
  }
  if (servers.length > MAX_SERVERS)
    imported.problems.push({ position: `server ${MAX_SERVERS + 1}`, reason: 'it and those after it are not imported' })
}

const addressOf = (server: unknown): string =>
  (textIn(server, 'url') ?? '')
    .replace(
      /\{([^{}]{1,64})\}/g,
      (_all, name: string) => textIn(objectIn(objectIn(server, 'variables'), name), 'default') ?? '',
    )
    .replace(/\/{1,10}$/, '')

const isAbsolute = (address: string): boolean => /^https?:\/\//i.test(address)

/**
 * Returns the first supported auth, with variables for secrets; an empty requirement means no auth. Unsupported auth
 * also becomes none, because a folder's credentials would be sent to a host that does not require them.
 *
 * @param findScheme finds a scheme by its name in the list
 */
export const authOf = (findScheme: (name: string) => unknown, security: readonly unknown[], tell: Tell): AuthInput => {
  const ways = security.map((way) => Object.keys(objectIn(way)))
  const known = ways.findIndex(([name]) => name === undefined || schemeAuth(findScheme(name)) !== undefined)
  const [name, ...joined] = ways[known] ?? []
  const left = [...joined, ...ways.flatMap((way, index) => (index === known ? [] : way))]
  if (left.length > 0) tell(`authentication by ${left.join(', ').slice(0, 200)} is not imported`)
  return (name === undefined ? undefined : schemeAuth(findScheme(name))) ?? { type: 'none' }
}

const schemeAuth = (scheme: unknown): AuthInput | undefined => {
  const type = textIn(scheme, 'type')
  const how = textIn(scheme, 'scheme')?.toLowerCase()
  if (type === 'http' && how === 'basic') return { type: 'basic', username: '{{username}}', password: '{{password}}' }
  if ((type === 'http' && how === 'bearer') || type === 'oauth2' || type === 'openIdConnect')
    return { type: 'bearer', token: '{{token}}' }
  const name = textIn(scheme, 'name')
  if (type !== 'apiKey' || name === undefined) return undefined
  if (textIn(scheme, 'in') === 'cookie') return { type: 'header', name: 'Cookie', value: `${name}={{apiKey}}` }
  return { type: textIn(scheme, 'in') === 'query' ? 'query' : 'header', name, value: '{{apiKey}}' }
}

/** One header for all cookies; enabled if one of them is required. */
export const cookieHeader = (cookies: readonly ReturnType<typeof pair>[]): ReturnType<typeof pair>[] =>
  cookies.length === 0
    ? []
    : [
        {
          name: 'Cookie',
          value: cookies.map(({ name, value }) => `${name}=${value}`).join('; '),
          enabled: cookies.some(({ enabled }) => enabled),
        },
      ]
