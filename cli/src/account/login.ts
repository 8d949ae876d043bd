import { ApiError } from '@sortie/client/errors.ts'
import type { Command } from '../program/command.ts'
import { CliError, describeError, EXIT, usageError } from '../program/exit.ts'
import { askSecret, note, print, printJson, printTable, readSecret, withoutControls } from '../program/terminal.ts'
import { forgetRules, storeRules } from '../scope/stored-rules.ts'
import { readCredentials, writeCredentials } from './credentials.ts'
import { deviceLogin } from './device-login.ts'
import { instanceAddress, openApi, openSession, ownInstance } from './session.ts'

export const login: Command = {
  name: 'login',
  usage: 'login [ADDRESS] [--key]',
  summary: 'Sign in through the browser, or with an API key; the key is stored for you only.',
  details:
    'It shows a code, which you enter in the browser, where you choose what the key may do and how long. If you are neither owner nor admin, one of them confirms it. With --key, it reads a key from standard input, or asks for one on the terminal, which does not show it. Without ADDRESS, the instance is the one that this file was downloaded from.',
  options: { key: { type: 'boolean', about: 'read an API key from standard input' } },
  run: async (environment, { positionals, flag }) => {
    const [written] = positionals
    const credentials = readCredentials(environment)
    const address = written === undefined ? (ownInstance() ?? credentials.current) : instanceAddress(written)
    if (address === undefined) throw usageError('Name the instance: `sortie login https://sortie.example`.')
    warnOfPlainHttp(address)
    const fromBrowser = !flag('key')
    if (fromBrowser && !process.stderr.isTTY)
      throw usageError('There is no terminal to show a code: give a key on standard input, with --key.')
    const key = fromBrowser ? await deviceLogin(address) : await readKey(address)
    const { data: me } = await openApi(address, key).getMe()
    credentials.current = address
    const former = credentials.instances[address]
    credentials.instances[address] = {
      key,
      organization: me.organization.name,
      ...(fromBrowser && { fromBrowser }),
      // Another organization has other engagements.
      ...(former?.engagement && former.organization === me.organization.name && { engagement: former.engagement }),
    }
    writeCredentials(environment, credentials)
    // No one has the former key any more.
    if (former?.fromBrowser && former.key !== key)
      await openApi(address, former.key)
        .deleteMyKey()
        .catch(() => undefined)
    print(
      `Signed in to ${address} with the key "${withoutControls(me.key.name)}" of ${withoutControls(me.organization.name)}.`,
    )
    return EXIT.ok
  },
}

const readKey = (address: string): Promise<string> =>
  process.stdin.isTTY ? askSecret(`API key for ${address} (not shown): `) : readSecret()

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

const warnOfPlainHttp = (address: string): void => {
  const { protocol, hostname } = new URL(address)
  if (protocol === 'http:' && !LOOPBACK.has(hostname))
    note('this address starts with http://, so others on the network can read the key.')
}

export const logout: Command = {
  name: 'logout',
  usage: 'logout [--forget]',
  summary: 'Delete the key of a login through the browser, or forget one that was given.',
  details:
    'A key that was given with --key still works elsewhere: owners and admins delete it in the web interface. Stored rules are removed, too.',
  options: { forget: { type: 'boolean', about: 'only forget the key, without asking the server' } },
  run: async (environment, { flag }) => {
    const credentials = readCredentials(environment)
    const { current } = credentials
    const stored = current === undefined ? undefined : credentials.instances[current]
    if (current === undefined) throw new CliError(EXIT.signedOut, 'You are not signed in.')
    const isDeleted = stored?.fromBrowser === true && !flag('forget')
    if (isDeleted) await deleteKey(current, stored.key)
    delete credentials.instances[current]
    delete credentials.current
    writeCredentials(environment, credentials)
    forgetRules(environment)
    print(`The key for ${current} is ${isDeleted ? 'deleted' : 'forgotten'}.`)
    return EXIT.ok
  },
}

const deleteKey = async (address: string, key: string): Promise<void> => {
  try {
    await openApi(address, key).deleteMyKey()
  } catch (error) {
    // It is deleted already, or has expired.
    if (error instanceof ApiError && error.statusCode === 401) return
    const { code, message } = describeError(error)
    throw new CliError(code, `${message} The key still works and is still stored: try again, or use --forget.`)
  }
}

export const whoami: Command = {
  name: 'whoami',
  usage: 'whoami [--json]',
  summary: 'Show the instance, the organization and what the key may do.',
  options: { json: { type: 'boolean', about: 'print JSON' } },
  run: async (environment, { flag }) => {
    const session = openSession(environment)
    const { data: me } = await session.api.getMe()
    if (flag('json')) printJson({ instance: session.address, ...me, engagement: session.engagement ?? null })
    else
      printTable([
        ['instance', session.address],
        ['organization', me.organization.name],
        ['key', `${me.key.name} (${me.key.id})`],
        ['scopes', me.key.scopes.join(', ')],
        ['engagements', engagementsOf(me.key.engagementIds)],
        ['chosen', session.engagement?.name ?? 'none: run `sortie use <engagement>`'],
      ])
    return EXIT.ok
  },
}

const engagementsOf = (ids: 'open' | readonly string[] | null): string =>
  ids === null ? 'all' : ids === 'open' ? 'those that the whole organization sees' : ids.join(', ')

export const use: Command = {
  name: 'use',
  usage: 'use ENGAGEMENT',
  summary: 'Choose the engagement of the commands that follow, by its id or name.',
  options: {},
  run: async (environment, { positionals }) => {
    const [wanted] = positionals
    if (wanted === undefined) throw usageError('Name an engagement, by its id or name.')
    const session = openSession(environment)
    const engagement = await findEngagement(session, wanted)
    const credentials = readCredentials(environment)
    const stored = credentials.instances[session.address]
    if (!stored)
      throw usageError('The key comes from SORTIE_KEY and is not stored: set SORTIE_ENGAGEMENT to the id instead.')
    stored.engagement = engagement
    writeCredentials(environment, credentials)
    await storeRules(environment, session, engagement.id)
    print(`Commands now use ${withoutControls(engagement.name)} (${engagement.id}).`)
    return EXIT.ok
  },
}

const findEngagement = async ({ api }: ReturnType<typeof openSession>, wanted: string) => {
  if (wanted.startsWith('eng_')) {
    const { data } = await api.getEngagement({ params: { engagementId: wanted } })
    return { id: data.id, name: data.name }
  }
  const { data } = await api.listEngagements({ query: { q: wanted, perPage: 100 } })
  const exact = data.filter(({ name }) => name === wanted)
  const found = exact.length > 0 ? exact : data
  const [first, ...others] = found
  if (!first) throw new CliError(EXIT.failure, `You see no engagement with "${wanted}" in its name.`)
  if (others.length > 0) throw usageError(`${found.length} engagements have "${wanted}" in their names: give an id.`)
  return { id: first.id, name: first.name }
}
