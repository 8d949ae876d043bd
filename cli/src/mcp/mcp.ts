import { createInterface } from 'node:readline'
import { VERSION } from 'virtual:contract'
import { openSession, type Session } from '../account/session.ts'
import type { Command } from '../program/command.ts'
import { describeError, EXIT } from '../program/exit.ts'
import { note, print, printJson } from '../program/terminal.ts'

/** A message of JSON-RPC, as far as the bridge reads it. */
interface Message {
  id?: string | number
  method?: string
  params?: { name?: unknown; uri?: unknown; _meta?: Record<string, unknown> }
  result?: { protocolVersion?: unknown }
}

/** Longer than a request of the API may run. */
const TIMEOUT_MS = 180_000
/** Calls that wait for their answers. */
const MAX_UNDER_WAY = 8
const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion'

/** `sortie mcp`: a server of the Model Context Protocol on standard input and output, which asks the instance. */
export const mcp: Command = {
  name: 'mcp',
  usage: 'mcp',
  summary: 'Serve the tools of the instance to an AI client, over standard input and output.',
  details:
    'For clients that start a program, such as Claude Code: each line of standard input is a message of the Model Context Protocol, which is sent to the instance with the stored key. The client never sees the key.',
  options: {},
  run: async (environment) => {
    const bridge = createBridge(openSession(environment))
    const underWay = new Set<Promise<void>>()
    for await (const line of createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY })) {
      if (line.trim() === '') continue
      const work = bridge(line).finally(() => underWay.delete(work))
      underWay.add(work)
      if (underWay.size >= MAX_UNDER_WAY) await Promise.race(underWay)
    }
    await Promise.all(underWay)
    return EXIT.ok
  },
}

/** @returns a function that sends a line and prints what is answered; it never throws */
const createBridge = ({ address, key }: Pick<Session, 'address' | 'key'>) => {
  let negotiated: string | undefined
  /** The messages after an `initialize` wait for the version that it agrees on. */
  let initialized: Promise<void> | undefined
  const send = async (line: string, message: Message): Promise<void> => {
    const answers = await post(line, message)
    for (const answer of answers) {
      if (message.method === 'initialize' && typeof answer.result?.protocolVersion === 'string')
        negotiated = answer.result.protocolVersion
      printJson(answer)
    }
  }
  const post = async (line: string, message: Message): Promise<Message[]> => {
    try {
      const response = await fetch(`${address}/api/mcp`, {
        method: 'POST',
        redirect: 'error',
        headers: {
          authorization: `Bearer ${key}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'user-agent': `sortie-cli/${VERSION}`,
          ...headersOf(message, negotiated),
        },
        body: line,
        signal: AbortSignal.timeout(TIMEOUT_MS),
      })
      return answersIn(response.headers.get('content-type') ?? '', await response.text(), message)
    } catch (error) {
      return failure(
        message,
        error instanceof TypeError ? 'The server cannot be reached.' : describeError(error).message,
      )
    }
  }
  return async (line: string): Promise<void> => {
    const message = parse(line)
    if (!message) return print(JSON.stringify({ jsonrpc: '2.0', id: null, error: NOT_JSON }))
    await initialized
    const work = send(line, message)
    if (message.method === 'initialize') initialized = work
    return work
  }
}

const NOT_JSON = { code: -32_700, message: 'A line must be one JSON object.' }

const parse = (line: string): Message | undefined => {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** The headers that the protocol mirrors from a message, so that proxies need not read it. */
const headersOf = ({ method, params }: Message, negotiated: string | undefined): Record<string, string> => {
  const version = params?._meta?.[VERSION_KEY]
  if (typeof version !== 'string')
    return negotiated === undefined || method === 'initialize' ? {} : { 'mcp-protocol-version': negotiated }
  const name = params?.name ?? params?.uri
  return {
    'mcp-protocol-version': encoded(version),
    ...(method !== undefined && { 'mcp-method': encoded(method) }),
    ...(typeof name === 'string' && { 'mcp-name': encoded(name) }),
  }
}

/** The protocol's encoding of a value with more than plain ASCII. */
const encoded = (value: string): string =>
  /^[\u0021-\u007e](?:[\u0020-\u007e]*[\u0021-\u007e])?$/.test(value) && !value.startsWith('=?base64?')
    ? value
    : `=?base64?${Buffer.from(value).toString('base64')}?=`

/** The messages in an answer: JSON, a stream of events, or an error of the API, which becomes one of the protocol. */
const answersIn = (type: string, text: string, message: Message): Message[] => {
  if (text === '') return []
  if (type.startsWith('text/event-stream'))
    return text
      .split('\n')
      .filter((line) => line.startsWith('data:') && line.length > 'data:'.length + 1)
      .map((line) => JSON.parse(line.slice('data:'.length)))
  const answer = JSON.parse(text)
  return 'jsonrpc' in answer ? [answer] : failure(message, answer.error?.message ?? 'The server refused the message.')
}

/** A notification has no answer: what went wrong goes to standard error. */
const failure = ({ id }: Message, sentence: string): Message[] => {
  if (id === undefined) {
    note(sentence)
    return []
  }
  const refusal = { jsonrpc: '2.0', id, error: { code: -32_000, message: sentence } }
  return [refusal]
}
