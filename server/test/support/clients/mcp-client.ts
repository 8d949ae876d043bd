import { Client, StreamableHTTPClientTransport, type VersionNegotiationMode } from '@modelcontextprotocol/client'

/** The two eras of the protocol, with the setting of the official client for each. */
export const ERAS: readonly (readonly [version: string, mode: VersionNegotiationMode])[] = [
  ['2025-11-25', 'legacy'],
  ['2026-07-28', { pin: '2026-07-28' }],
]

/** What a tool answered: its JSON, and the addresses of its links. */
export interface ToolAnswer {
  isError: boolean
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers of every shape
  value: any
  links: string[]
}

/** The official client, connected with a key. */
export interface McpClient {
  client: Client
  call(name: string, args?: Record<string, unknown>): Promise<ToolAnswer>
  tools(): Promise<string[]>
}

/** Connects the official client to the server at `origin`. */
export const mcpClient = async (
  origin: string,
  key: string,
  mode: VersionNegotiationMode = 'legacy',
): Promise<McpClient> => {
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } })
  await client.connect(
    new StreamableHTTPClientTransport(new URL('/api/mcp', origin), {
      requestInit: { headers: { authorization: `Bearer ${key}` } },
    }),
  )
  return clientOf(client)
}

/** The calls of a connected client. */
export const clientOf = (client: Client): McpClient => ({
  client,
  call: async (name, args = {}) => {
    const { content, isError = false } = await client.callTool({ name, arguments: args })
    const [first, ...others] = content
    if (first?.type !== 'text') throw new Error(`${name} has no text`)
    const links = others.map((one) => (one.type === 'resource_link' ? one.uri : one.type))
    return { isError, value: JSON.parse(first.text), links }
  },
  tools: async () => (await client.listTools()).tools.map(({ name }) => name),
})
