import { setTimeout as sleep } from 'node:timers/promises'
import { ApiError } from '@sortie/client/errors.ts'
import { openSession, type Session } from '../account/session.ts'
import type { Command } from '../program/command.ts'
import { describeError, EXIT } from '../program/exit.ts'
import { note, print, printJson, withoutControls } from '../program/terminal.ts'

/** A changed object, without its content. */
interface Event {
  type: string
  /** Null: many. */
  id: string | null
  engagementId: string | null
  change: string
}

/** The server sends a comment every 10 seconds: after this many milliseconds without one, the connection is dead. */
const SILENT_MS = 45_000
const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 30_000
/** No event is longer. */
const MAX_EVENT_LENGTH = 65_536

/** `sortie watch`: what changes, a line each, until it is interrupted. */
export const watch: Command = {
  name: 'watch',
  usage: 'watch [--all] [--json]',
  summary: 'Show what changes in the engagement, as it happens.',
  details:
    'Each line names a changed object: time, change, type, id. `reset` means that changes may have been missed. It connects again after a lost connection, and ends when the key or its access to the engagement does.',
  options: {
    all: { type: 'boolean', about: 'of every engagement, instead of the chosen one' },
    json: { type: 'boolean', about: 'print one JSON object per line' },
    engagement: { type: 'string', value: 'ID', about: 'the engagement, instead of the chosen one' },
  },
  run: async (environment, { flag, text }) => {
    const session = openSession(environment)
    const engagementId = flag('all') ? undefined : (text('engagement') ?? session.engagement?.id)
    const show = flag('json') ? showJson : showLine
    let pause = FIRST_PAUSE_MS
    let hasConnected = false
    for (;;) {
      try {
        for await (const event of eventsOf(session, engagementId)) {
          if (event === 'open') {
            if (hasConnected) show('reset')
            hasConnected = true
            pause = FIRST_PAUSE_MS
          } else show(event)
        }
      } catch (error) {
        const { code, message } = describeError(error)
        if (!hasConnected || (error instanceof ApiError && code !== EXIT.unreachable)) throw error
        note(`${message} Connecting again.`)
      }
      await sleep(pause)
      pause = Math.min(pause * 2, LONGEST_PAUSE_MS)
    }
  },
}

type Shown = Event | 'reset'

const showJson = (event: Shown): void =>
  printJson({ at: new Date().toISOString(), ...(event === 'reset' ? { type: 'reset' } : event) })

const showLine = (event: Shown): void => {
  const time = new Date().toISOString()
  if (event === 'reset') print(`${time}  reset`)
  else print(withoutControls(`${time}  ${event.change}  ${event.type}  ${event.id ?? 'many'}`))
}

/** Events of one connection, in the form of server-sent events (HTML, 9.2.6). */
async function* eventsOf(
  { api }: Session,
  engagementId: string | undefined,
): AsyncGenerator<Event | 'open' | 'reset', void> {
  const silence = new AbortController()
  const end = () => silence.abort(new DOMException('The server is silent.', 'TimeoutError'))
  let timer = setTimeout(end, SILENT_MS)
  try {
    const { body } = await api.streamEvents(
      { query: engagementId === undefined ? {} : { engagementId } },
      { signal: silence.signal, retries: 0 },
    )
    yield 'open'
    let unread = ''
    for await (const text of body?.pipeThrough(new TextDecoderStream()) ?? []) {
      clearTimeout(timer)
      timer = setTimeout(end, SILENT_MS)
      const blocks = (unread + text).split('\n\n')
      unread = blocks.pop() ?? ''
      if (unread.length > MAX_EVENT_LENGTH) return
      for (const block of blocks) {
        if (block.startsWith('event: reset')) yield 'reset'
        else if (block.startsWith('data: ')) yield JSON.parse(block.slice('data: '.length))
      }
    }
  } finally {
    clearTimeout(timer)
    silence.abort()
  }
}
