import { executeApiRequest, listApiRequests, sendRequest } from '@sortie/contract/requests/api-requests.ts'
import { getRequestRun, getRequestRunExcerpt } from '@sortie/contract/requests/request-runs.ts'
import { invalid } from '../../../platform/errors.ts'
import { engagementLink } from '../resources/addresses.ts'
import { inputOf } from './input.ts'
import { listAnswer } from './pages.ts'
import type { Tool, ToolCall } from './tool.ts'
import { TEXT_FROM, whole } from './untrusted.ts'

/** Fields of a run that hold what the target answered. */
const OF_RUN = ['hops', 'response', 'received', 'assertions', 'captured', 'reason']

export const REQUEST_TOOLS: readonly Tool[] = [
  {
    name: 'list_requests',
    title: 'List requests',
    description: 'Lists the saved HTTP requests of an engagement, for run_request.',
    endpoints: [listApiRequests],
    input: inputOf([listApiRequests]),
    run: async ({ call, args }) => ({
      value: listAnswer('list_requests', args, await call(listApiRequests, args)),
      links: engagementLink(args['engagementId'], 'brief'),
    }),
  },
  {
    name: 'run_request',
    title: 'Run a request',
    description:
      'Sends one HTTP request to a target: a saved one with requestId, or `request` with method, url, headers and body. Refused for targets out of scope, outside the testing hours and in an engagement that is not active. Secrets in the answer are masked. With runId it sends nothing and reads the answer of an earlier run, from `textFrom`.',
    endpoints: [sendRequest, executeApiRequest, getRequestRun, getRequestRunExcerpt],
    required: [sendRequest, executeApiRequest],
    input: inputOf([sendRequest, executeApiRequest], {
      omit: ['override'],
      add: { ...getRunId(), ...TEXT_FROM },
      required: [],
    }),
    isOpenWorld: true,
    run: async (toolCall) => {
      const { call, args } = toolCall
      const { runId, textFrom, ...sent } = args
      if (runId !== undefined) {
        if (Object.keys(sent).length > 0) throw invalid('runId: reads an earlier run, and takes only textFrom with it')
        const { data } = await call(getRequestRun, { runId })
        return answerOf(toolCall, data, textFrom)
      }
      if (textFrom !== undefined) throw invalid('textFrom: needs the runId to read on in')
      if (sent['request'] === undefined && sent['requestId'] === undefined)
        throw invalid('request: give a request, or the requestId of a saved one')
      const { data } = await call(sent['request'] === undefined ? executeApiRequest : sendRequest, sent)
      return answerOf(toolCall, data, undefined)
    },
  },
]

function getRunId() {
  return { runId: { ...inputOf([getRequestRun]).properties['runId'], description: 'an earlier run to read' } }
}

/**
 * A key that may not read requests learns only the id of the run. The headers and the body of the answer are those of
 * the excerpt, in which cookies and credentials are masked as well.
 */
const answerOf = async ({ call, permits }: ToolCall, run: Record<string, unknown>, textFrom: unknown) => {
  const { headers: _, ...response } = (run['response'] ?? {}) as Record<string, unknown>
  const received =
    permits(getRequestRunExcerpt) && run['response']
      ? (await call(getRequestRunExcerpt, { runId: run['id'] })).data.response
      : null
  return {
    value: whole({ ...run, ...(run['response'] !== undefined && { response }), received }, OF_RUN, textFrom, {
      tool: 'run_request',
      arguments: { runId: run['id'] },
    }),
    links: engagementLink(run['engagementId'], 'scope'),
  }
}
