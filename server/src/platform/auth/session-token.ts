import { type Keys, randomToken, sign, verifySignature } from '../crypto.ts'

/** A new value of the session cookie: a secret and its signature. */
export const newSessionToken = (keys: Keys): string => {
  const secret = randomToken()
  return `${secret}.${sign(keys.session, secret)}`
}

/** Whether a cookie's value was made here: anything else costs no query. */
export const isGenuineSessionToken = (keys: Keys, token: string): boolean => {
  const dot = token.indexOf('.')
  return dot > 0 && token.length < 200 && verifySignature(keys.session, token.slice(0, dot), token.slice(dot + 1))
}
