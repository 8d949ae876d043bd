import { setTimeout as sleep } from 'node:timers/promises'
import { VERSION } from 'virtual:contract'
import { CliError, EXIT } from '../program/exit.ts'
import { note, withoutControls } from '../program/terminal.ts'

/** The name of this program for the server (RFC 6749, section 2.2); nothing is registered. */
const CLIENT_ID = 'sortie-cli'
const GRANT = 'urn:ietf:params:oauth:grant-type:device_code'
/** RFC 8628, section 3.2: seconds between two requests, if the server does not say. */
const DEFAULT_INTERVAL = 5
/** Seconds that `slow_down` adds (RFC 8628, section 3.5). */
const SLOWER_BY = 5
/** Without an answer after this many milliseconds, a request is made again. */
const ANSWER_MS = 30_000

/** Members of an answer: a text or a number. */
type Answer = Readonly<Record<string, unknown>>

/**
 * Gets a key by a code that a person approves in the browser (RFC 8628). Every request goes to the instance itself, at
 * the address that was given.
 *
 * @throws CliError if it is refused, the code expires, or the instance has no such login
 */
export const deviceLogin = async (address: string): Promise<string> => {
  await requireDeviceLogin(address)
  const started = await post(address, 'device', { client_id: CLIENT_ID })
  const code = textOf(started, 'device_code')
  const [userCode, page] = [textOf(started, 'user_code'), textOf(started, 'verification_uri')]
  if (code === undefined || userCode === undefined || page === undefined || !isWebAddress(page))
    throw new CliError(EXIT.failure, textOf(started, 'error_description') ?? unexpected(address))
  const seconds = numberOf(started, 'expires_in') ?? 0
  note(`open ${withoutControls(page)} and enter the code ${withoutControls(userCode)}`)
  note(`waiting for the approval, ${Math.ceil(seconds / 60)} minutes at most.`)
  return waitForKey(address, code, Date.now() + seconds * 1000, numberOf(started, 'interval') ?? DEFAULT_INTERVAL)
}

const waitForKey = async (address: string, code: string, until: number, interval: number): Promise<string> => {
  let pause = interval
  let shown = ''
  while (Date.now() < until) {
    await sleep(pause * 1000)
    const answer = await post(address, 'token', { grant_type: GRANT, device_code: code, client_id: CLIENT_ID }).catch(
      (error: unknown) => {
        if (error instanceof CliError && error.code === EXIT.unreachable) return undefined
        throw error
      },
    )
    // The network may be away for a moment: the code still works.
    if (!answer) continue
    const key = textOf(answer, 'access_token')
    if (key !== undefined) return key
    const reason = withoutControls(textOf(answer, 'error_description') ?? '')
    switch (answer['error']) {
      case 'authorization_pending':
        if (reason !== '' && reason !== shown) note(reason)
        shown = reason
        break
      case 'slow_down':
        pause += SLOWER_BY
        break
      case 'access_denied':
        throw new CliError(EXIT.forbidden, reason || 'The login was refused.')
      default:
        throw new CliError(EXIT.failure, reason || unexpected(address))
    }
  }
  throw new CliError(EXIT.failure, 'The code has expired: start again.')
}

/** Reads the description of the server (RFC 8414). */
const requireDeviceLogin = async (address: string): Promise<void> => {
  const { body } = await send(new URL('/.well-known/oauth-authorization-server', address))
  const grants = body?.['grant_types_supported']
  if (!Array.isArray(grants) || !grants.includes(GRANT))
    throw new CliError(EXIT.failure, `${address} has no login through the browser: use --key.`)
}

const post = async (address: string, path: string, fields: Record<string, string>): Promise<Answer> => {
  const { status, body } = await send(new URL(`${address}/api/oauth/${path}`), {
    method: 'POST',
    body: new URLSearchParams(fields),
  })
  if (body && (status < 300 || typeof body['error'] === 'string')) return body
  if (status === 429) throw new CliError(EXIT.failure, 'Too many logins from this address: wait some minutes.')
  throw new CliError(status >= 500 ? EXIT.unreachable : EXIT.failure, unexpected(address))
}

/** @throws CliError with the code of an unreachable server */
const send = async (url: URL, init: RequestInit = {}): Promise<{ status: number; body: Answer | undefined }> => {
  let response: Response
  let text: string
  try {
    response = await fetch(url, {
      ...init,
      headers: { accept: 'application/json', 'user-agent': `sortie-cli/${VERSION}` },
      redirect: 'error',
      signal: AbortSignal.timeout(ANSWER_MS),
    })
    text = await response.text()
  } catch (error) {
    throw new CliError(EXIT.unreachable, `${url.origin} cannot be reached.`, { cause: error })
  }
  try {
    return { status: response.status, body: JSON.parse(text) }
  } catch {
    return { status: response.status, body: undefined }
  }
}

const textOf = (answer: Answer, name: string): string | undefined => {
  const value = answer[name]
  return typeof value === 'string' ? value : undefined
}

const numberOf = (answer: Answer, name: string): number | undefined => {
  const value = answer[name]
  return typeof value === 'number' && value > 0 ? value : undefined
}

const isWebAddress = (text: string): boolean => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)

const unexpected = (address: string): string => `${address} answered in an unexpected form.`
