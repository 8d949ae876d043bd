import { MASK } from '@sortie/contract/requests/request-parts.ts'
import { createMask, type Mask } from './mask.ts'

interface Header {
  name: string
  value: string
}

/** Shorter credentials occur in every text: they are masked in their headers only. */
const MIN_CREDENTIAL = 6

/** Masks credentials of headers wherever else they occur. */
export const createCredentialMask = (credentials: readonly string[]): Mask =>
  createMask(credentials.filter((text) => text.length >= MIN_CREDENTIAL && !text.includes(MASK)))

/** A header with its credentials masked, and what they were: those of signing in, and the values of cookies. */
export const splitCredentials = ({ name, value }: Header): Header & { credentials: string[] } => {
  switch (name.toLowerCase()) {
    case 'authorization':
    case 'proxy-authorization': {
      const [, scheme = '', given = ''] = /^(\S+ +)?(.*)$/s.exec(value) ?? []
      const basic = /^basic /i.test(scheme) ? Buffer.from(given, 'base64').toString().split(':').slice(1).join(':') : ''
      return { name, value: `${scheme}${MASK}`, credentials: [given, basic] }
    }
    case 'cookie': {
      const pairs = value.split(';').map(splitPair)
      return {
        name,
        value: pairs.map(({ shown }) => shown).join(';'),
        credentials: pairs.map(({ credential }) => credential),
      }
    }
    case 'set-cookie': {
      const [pair = '', ...attributes] = value.split(';')
      const { shown, credential } = splitPair(pair)
      return { name, value: [shown, ...attributes].join(';'), credentials: [credential] }
    }
    default:
      return { name, value, credentials: [] }
  }
}

/** `name=value` of a cookie. One without a name is a value. */
const splitPair = (pair: string): { shown: string; credential: string } => {
  const at = pair.indexOf('=') + 1
  return { shown: `${pair.slice(0, at)}${MASK}`, credential: pair.slice(at).trim().replace(/^"|"$/g, '') }
}
