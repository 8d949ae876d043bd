import type { Output } from '@sortie/client/calls.ts'
import { useSyncExternalStore } from 'react'
import { call, linkTo, messageOf, reportFailure } from '../../api/api.ts'
import type { RenderFormat } from '../../domain/reports/report-words.tsx'

type Finished = Output<'getReportRender'>['data']

/** What is rendered: a report, or one finding. */
export interface Rendered {
  type: 'report' | 'finding'
  id: string
  /** For people who have left its page. */
  title: string
}

/** A render that was started in this tab. It goes on while other pages are open. */
export interface Render {
  /** Unique in the tab. */
  key: number
  of: Rendered
  organizationId: string
  format: RenderFormat
  startedAt: number
  /** Undefined while it runs. */
  finished: Finished | undefined
  /** Why it could not be started or followed. */
  error: string | undefined
}

/** Seconds that the server holds an answer for a render that is under way. */
const WAIT_SECONDS = 10
const POLL_MS = 1_500

let renders: readonly Render[] = []
let lastKey = 0
const listeners = new Set<() => void>()

const show = (next: readonly Render[]): void => {
  renders = next
  for (const listener of listeners) listener()
}

const change = (key: number, part: Partial<Render>): void =>
  show(renders.map((render) => (render.key === key ? { ...render, ...part } : render)))

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** All renders of this tab, the newest last. */
export const useRenders = (): readonly Render[] => useSyncExternalStore(subscribe, () => renders)

export const dismissRender = (key: number): void => show(renders.filter((render) => render.key !== key))

/** Address of the file of a render. */
export const fileOf = ({ organizationId, finished }: Render): string | undefined =>
  finished?.state === 'succeeded'
    ? linkTo(organizationId, 'downloadReportRender', { params: { renderId: finished.id } })
    : undefined

/**
 * Starts a render, and follows it until it has ended.
 * @param onEnded receives the render, which has a file or a reason for having none
 */
export const startRender = async (
  organizationId: string,
  of: Rendered,
  format: RenderFormat,
  onEnded: (render: Render) => void,
): Promise<void> => {
  const key = ++lastKey
  const begun: Render = {
    key,
    of,
    organizationId,
    format,
    startedAt: Date.now(),
    finished: undefined,
    error: undefined,
  }
  // One line for each object and format: the newest.
  show([...renders.filter((other) => other.of.id !== of.id || other.format !== format || !other.finished), begun])
  try {
    const finished = await untilEnded(organizationId, await send(organizationId, of, format))
    change(key, { finished })
  } catch (error) {
    reportFailure(error)
    change(key, { error: messageOf(error) })
  }
  const ended = renders.find((render) => render.key === key)
  if (ended) onEnded(ended)
}

const send = async (organizationId: string, { type, id }: Rendered, format: RenderFormat): Promise<Finished> => {
  const body = { format, wait: WAIT_SECONDS }
  const once = { retries: 0 }
  return type === 'report'
    ? (await call(organizationId, 'renderReport', { params: { reportId: id }, body }, once)).data
    : (await call(organizationId, 'renderFinding', { params: { findingId: id }, body }, once)).data
}

const untilEnded = async (organizationId: string, begun: Finished): Promise<Finished> => {
  let render = begun
  while (render.state === 'queued' || render.state === 'running') {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    render = (await call(organizationId, 'getReportRender', { params: { renderId: render.id } })).data
  }
  return render
}
