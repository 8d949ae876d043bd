import { request } from 'node:http'
import { eventually } from '../app/server-process.ts'
import type { TestClient } from '../app/test-client.ts'

interface ReceivedEvent {
  type: string
  id: string | null
  engagementId: string | null
  change: string
}

/** An open stream of events, read as it arrives. */
export interface OpenStream {
  status: number
  headers: NodeJS.Dict<string | string[]>
  /** The events received so far; a reset is the word. */
  received: (ReceivedEvent | 'reset')[]
  /** The complete received text. */
  text(): string
  ended: boolean
  /** Waits for an event of this id. */
  hears(id: string): Promise<ReceivedEvent>
  /** Stops reading. */
  pause(): void
  close(): void
}

/** Opens a stream; if it is refused, the status shows it. @param path below the origin */
export const openStream = (
  client: TestClient,
  path = '/api/web/events',
  headers: Record<string, string> = {},
): Promise<OpenStream> =>
  new Promise((resolve, reject) => {
    const asked = request(client.origin + path, { headers: { ...client.headers, ...headers }, agent: false })
    asked.once('error', reject)
    asked.once('response', (response) => {
      let text = ''
      let unread = ''
      const stream: OpenStream = {
        status: response.statusCode ?? 0,
        headers: response.headers,
        received: [],
        text: () => text,
        ended: false,
        hears: (id) =>
          eventually(() => {
            const found = stream.received.find((event) => event !== 'reset' && event.id === id)
            if (!found) throw new Error(`no event was received for ${id}, but: ${text}`)
            return found as ReceivedEvent
          }, 10_000),
        pause: () => void response.pause(),
        close: () => void asked.destroy(),
      }
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => {
        text += chunk
        const whole = (unread + chunk).split('\n\n')
        unread = whole.pop() as string
        stream.received.push(...parse(whole))
      })
      for (const end of ['end', 'close', 'error']) response.once(end, () => (stream.ended = true))
      resolve(stream)
    })
    asked.end()
  })

/** Comments are left out. */
const parse = (events: readonly string[]): OpenStream['received'] =>
  events
    .filter((event) => !event.startsWith(':'))
    .map((event) =>
      event.startsWith('event: reset') ? 'reset' : (JSON.parse(event.replace(/^data: /, '')) as ReceivedEvent),
    )
