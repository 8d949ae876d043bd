import { Group, SegmentedControl, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { call } from '../../../api/api.ts'
import { QueryView } from '../../../shell/reads/QueryView.tsx'
import { decode, prettyJson } from '../../../ui/text/bodies/body-text.ts'
import { CopyButton } from '../../../ui/values/CopyButton.tsx'
import { formatBytes } from '../../../ui/values/format-bytes.ts'
import { type Run, usePlace } from '../place.tsx'
import classes from './answer.module.css'
import { type Markup, markupOf, prettyMarkup } from './markup/markup-text.ts'
import { TextRows } from './TextRows.tsx'

type Response = NonNullable<Run['response']>

/** Image types that browsers render without executing content. */
const PICTURES = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif', 'image/bmp'])
/** Limit for copying to the clipboard, in characters. */
const MAX_COPIED = 1_000_000

/** Body of a response: formatted or raw text, an image, or type and size. */
export const AnswerBody = ({ runId, response }: { runId: string; response: Response }) => {
  const { organizationId } = usePlace()
  const body = useQuery({
    queryKey: [organizationId, 'getRequestRunBody', { params: { runId } }],
    queryFn: async ({ signal }) => {
      const answer = await call(organizationId, 'getRequestRunBody', { params: { runId } }, { signal })
      return new Uint8Array(await answer.arrayBuffer())
    },
    // A run never changes, and its body can be large.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
    enabled: response.size > 0,
  })
  if (response.size === 0) {
    return (
      <Text size="sm" c="dimmed">
        The response has no body.
      </Text>
    )
  }
  return (
    <Stack gap="xs">
      {response.truncated && (
        <Text size="sm" c="dimmed">
          Only the start is kept of {formatBytes(response.size)}.
        </Text>
      )}
      <QueryView query={body}>{(bytes) => <Shown bytes={bytes} response={response} />}</QueryView>
    </Stack>
  )
}

const Shown = ({ bytes, response }: { bytes: Uint8Array<ArrayBuffer>; response: Response }) => {
  const type = response.headers.find(({ name }) => name.toLowerCase() === 'content-type')?.value
  const text = useMemo(() => decode(bytes, type), [bytes, type])
  if (response.mediaType !== null && PICTURES.has(response.mediaType))
    return <Picture bytes={bytes} mediaType={response.mediaType} />
  if (text === undefined) {
    return (
      <Text size="sm" c="dimmed">
        Not text: {formatBytes(response.size)} of {response.mediaType ?? 'an unknown type'}. It can be downloaded.
      </Text>
    )
  }
  return <TextBody text={text} markup={markupOf(response.mediaType)} />
}

const TextBody = ({ text, markup }: { text: string; markup: Markup | undefined }) => {
  const pretty = useMemo(() => (markup ? prettyMarkup(text, markup) : prettyJson(text)), [text, markup])
  const [view, setView] = useState<'pretty' | 'raw'>('pretty')
  const shown = view === 'pretty' && pretty !== undefined ? pretty : text
  return (
    <>
      <Group gap="xs">
        {pretty !== undefined && (
          <SegmentedControl
            aria-label="Show the body"
            size="xs"
            value={view}
            transitionDuration={0}
            onChange={(next) => setView(next === 'raw' ? 'raw' : 'pretty')}
            data={[
              { value: 'pretty', label: 'Pretty' },
              { value: 'raw', label: 'Raw' },
            ]}
          />
        )}
        {text.length <= MAX_COPIED && <CopyButton value={shown} />}
      </Group>
      <TextRows
        key={view}
        label="Response body"
        text={shown}
        language={shown !== pretty ? undefined : (markup ?? 'json')}
      />
    </>
  )
}

const Picture = ({ bytes, mediaType }: { bytes: Uint8Array<ArrayBuffer>; mediaType: string }) => {
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([bytes], { type: mediaType }))
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [bytes, mediaType])
  return url === undefined ? null : <img src={url} alt="The response body" className={classes.picture} />
}
