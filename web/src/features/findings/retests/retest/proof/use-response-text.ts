import type { Output } from '@sortie/client/calls.ts'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../../../../api/api.ts'
import { useOrganization } from '../../../../../shell/context/organization.tsx'
import { decode, prettyJson } from '../../../../../ui/text/bodies/body-text.ts'
import { formatBytes } from '../../../../../ui/values/format-bytes.ts'

type Run = Output<'getRequestRun'>['data']

/** Characters of a body that are compared: a page shows no more of it. */
const MAX_COMPARED = 200_000

/** A response as text: status, headers and formatted body. Undefined while it is read. */
export const useResponseText = (run: Run | undefined): string | undefined => {
  const { id } = useOrganization()
  const runId = run?.id ?? ''
  const size = run?.response?.size ?? 0
  const body = useQuery({
    queryKey: [id, 'getRequestRunBody', { params: { runId } }],
    queryFn: async ({ signal }) => {
      const answer = await call(id, 'getRequestRunBody', { params: { runId } }, { signal })
      return new Uint8Array(await answer.arrayBuffer())
    },
    // A run never changes, and its body can be large.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
    enabled: size > 0,
  })
  if (!run) return undefined
  if (!run.response) return run.reason ?? 'No response'
  if (size > 0 && !body.data) return body.isError ? `${headOf(run.response)}\n(the body can't be read)` : undefined
  return `${headOf(run.response)}\n${body.data ? bodyText(body.data, run.response) : ''}`
}

type Response = NonNullable<Run['response']>

const headOf = ({ httpVersion, status, statusText, headers }: Response): string =>
  [
    `HTTP/${httpVersion} ${status} ${statusText}`.trim(),
    ...headers.map(({ name, value }) => `${name}: ${value}`),
    '',
  ].join('\n')

const bodyText = (bytes: Uint8Array<ArrayBuffer>, { headers, mediaType, size }: Response): string => {
  const text = decode(bytes, headers.find(({ name }) => name.toLowerCase() === 'content-type')?.value)
  if (text === undefined) return `(not text: ${formatBytes(size)} of ${mediaType ?? 'an unknown type'})`
  return (prettyJson(text) ?? text).slice(0, MAX_COMPARED)
}
