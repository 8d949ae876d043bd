import type { EndpointRow } from '../webhook-endpoints.queries.ts'
import { chatBody, chatText } from './chat.ts'

/** Bytes of a message; a larger one is sent thin. */
const MAX_BYTES = 20_000

/** A message before it has a format. */
export interface Message {
  type: string
  timestamp: string
  data: Record<string, unknown>
  /** The object, as the API shows it; for `full` only. */
  object?: object | undefined
  /** For `full` only. */
  engagementName?: string | undefined
}

/** The body of a delivery in the format of its endpoint: the same bytes for every attempt. */
export const messageOf = ({ format }: Pick<EndpointRow, 'format'>, message: Message): string => {
  const { type, timestamp, data, object } = message
  const { url } = data
  if (format !== 'standard')
    return chatBody(format, chatText(format, message), typeof url === 'string' ? url : undefined)
  const thin = { type, timestamp, data }
  if (object === undefined) return JSON.stringify(thin)
  const full = JSON.stringify({ type, timestamp, data: { ...data, object } })
  return Buffer.byteLength(full) <= MAX_BYTES ? full : JSON.stringify({ ...thin, data: { ...data, truncated: true } })
}
