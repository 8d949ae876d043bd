import type { Output } from '@sortie/client/calls.ts'
import { type Api, openSession } from '../account/session.ts'
import type { Command } from '../program/command.ts'
import { CliError, EXIT, usageError } from '../program/exit.ts'
import { note, print, printJson, printTable, withoutControls } from '../program/terminal.ts'

type Run = Output<'executeApiRequest'>['data']

/** The server answers when the run has ended, after at most two minutes; then it is not sent again. */
const ANSWER_MS = 180_000

/** `sortie request run`: the instance sends a saved request. */
export const request: Command = {
  name: 'request',
  actions: ['run'],
  usage: 'request run ID [--env NAME] [--json]',
  summary: 'Let the instance send a saved request, and check its assertions.',
  details:
    'Exit code: 0 if there was a response and every assertion holds, 10 if one does not, 3 if scope, hours or the egress policy refuse it, 1 if there was no response. NAME is the name or the id of an environment. `requests` lists and changes saved requests.',
  options: {
    env: { type: 'string', value: 'NAME', about: 'the environment that gives the variables' },
    var: { type: 'string', multiple: true, value: 'NAME=VALUE', about: 'a variable; may be repeated' },
    json: { type: 'boolean', about: 'print the run as JSON' },
    engagement: { type: 'string', value: 'ID', about: 'for a request of the organization, instead of the chosen one' },
  },
  run: async (environment, { positionals, flag, text, texts }) => {
    const [action, requestId, ...others] = positionals
    if (action !== 'run' || requestId === undefined || others.length > 0)
      throw usageError('A request is sent with `sortie request run ID`.')
    const variables = Object.fromEntries(texts('var').map(variableOf))
    const session = openSession(environment)
    const { data: saved } = await session.api.getApiRequest({ params: { requestId } })
    const engagementId = saved.engagementId ?? text('engagement') ?? session.engagement?.id
    const environmentId = await findEnvironment(session.api, engagementId, text('env'))
    const { data: run } = await session.api.executeApiRequest(
      {
        params: { requestId },
        body: {
          ...(saved.engagementId === null && engagementId !== undefined && { engagementId }),
          ...(environmentId !== undefined && { environmentId }),
          ...(Object.keys(variables).length > 0 && { variables }),
        },
      },
      { signal: AbortSignal.timeout(ANSWER_MS), retries: 0 },
    )
    if (flag('json')) printJson(run)
    else show(run)
    return exitCodeOf(run)
  },
}

const variableOf = (text: string): [string, string] => {
  const equals = text.indexOf('=')
  if (equals < 1) throw usageError('A variable is written as NAME=VALUE.')
  return [text.slice(0, equals), text.slice(equals + 1)]
}

const findEnvironment = async (
  api: Api,
  engagementId: string | undefined,
  wanted: string | undefined,
): Promise<string | undefined> => {
  if (wanted === undefined || wanted.startsWith('env_')) return wanted
  const ofEngagement = engagementId === undefined ? [] : (await api.listEnvironments({ query: { engagementId } })).data
  const found =
    ofEngagement.find(({ name }) => name === wanted) ??
    (await api.listEnvironments({ query: { organization: true } })).data.find(({ name }) => name === wanted)
  if (!found) throw new CliError(EXIT.failure, `There is no environment "${wanted}".`)
  return found.id
}

const show = ({ method, url, status, state, reason, timing, assertions }: Run): void => {
  print(
    `${state}  ${method} ${withoutControls(url)}${status === null ? '' : `  ${status}`}${timing.total === null ? '' : `  ${timing.total} ms`}`,
  )
  if (reason !== null) note(withoutControls(reason))
  if (assertions.length > 0)
    printTable(
      assertions.map(({ passed, subject, operator, value, actual }) => [
        passed ? 'passed' : 'failed',
        subject,
        operator,
        String(value ?? ''),
        passed ? '' : `was ${String(actual)}`,
      ]),
    )
}

const exitCodeOf = ({ state, assertions }: Run): number => {
  if (state === 'refused') return EXIT.outOfScope
  if (state !== 'succeeded') return EXIT.failure
  return assertions.every(({ passed }) => passed) ? EXIT.ok : EXIT.failedOn
}
