import { useQuery } from '@tanstack/react-query'
import { query } from '../../../../api/api.ts'
import { useOrganization } from '../../../../shell/context/organization.tsx'
import { prettyJson } from '../../../../ui/text/bodies/body-text.ts'
import classes from '../../findings.module.css'

interface Lines {
  /** From 1, inclusive. */
  from: number
  to: number
}

/** Without a selection, an embed is cut to this many lines. */
const MAX_LINES = 60
/** Longest line, in characters: a minified script is one line. */
const MAX_LINE = 1_000

/** A request that was sent, and its response, without secrets, credentials and cookies: the server masks them. */
export const RunEmbed = ({ runId, lines }: { runId: string; lines: Lines | undefined }) => {
  const { id } = useOrganization()
  // A run never changes.
  const { data } = useQuery({
    ...query(id, 'getRequestRunExcerpt', { params: { runId } }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
    retry: false,
  })
  if (!data) return <span className={classes.embed}>{`Request ${runId}`}</span>
  const { request, response } = data.data
  const headers = (list: readonly { name: string; value: string }[]) =>
    list.map(({ name, value }) => `${name}: ${value}`)
  const body = (text: string | null | undefined) => (text ? ['', prettyJson(text) ?? text] : [])
  const text = [
    `${request.method} ${request.url}`,
    ...headers(request.headers),
    ...(request.body ? ['', request.body] : []),
    ...(response
      ? [
          '',
          `HTTP/${response.httpVersion} ${response.status} ${response.statusText}`.trim(),
          ...headers(response.headers),
          ...body(response.body ?? (response.omitted && `(${response.omitted})`)),
        ]
      : []),
  ].join('\n')
  return <Excerpt label={`Request ${request.method} ${request.url}`} text={text} lines={lines} />
}

/** What a tool recorded about a result, without credentials and cookies: the server masks them. */
export const ResultEmbed = ({ resultId, lines }: { resultId: string; lines: Lines | undefined }) => {
  const { id } = useOrganization()
  const { data } = useQuery({
    ...query(id, 'getResultExcerpt', { params: { resultId } }),
    staleTime: 60_000,
    retry: false,
  })
  if (!data) return <span className={classes.embed}>{`Result ${resultId}`}</span>
  const { title, asset, text } = data.data
  const shown = [title, asset, ...(text ? [text.replaceAll('\r\n', '\n')] : [])].join('\n')
  return <Excerpt label={`Proof of ${title}`} text={shown} lines={lines} />
}

const Excerpt = ({ label, text, lines }: { label: string; text: string; lines: Lines | undefined }) => {
  const all = text.split('\n')
  const shown = lines ? all.slice(lines.from - 1, lines.to) : all.slice(0, MAX_LINES)
  const left = lines ? 0 : all.length - shown.length
  return (
    <span className={classes.embed} role="figure" aria-label={label}>
      {shown.map((line) => (line.length > MAX_LINE ? `${line.slice(0, MAX_LINE)} …` : line)).join('\n')}
      {left > 0 && `\n… ${left} more lines`}
    </span>
  )
}
