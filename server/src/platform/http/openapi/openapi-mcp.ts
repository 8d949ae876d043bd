import { COMMON_HEADERS, mcpFailures } from './openapi-answers.ts'

const MESSAGE = {
  type: 'object',
  required: ['jsonrpc'],
  description: 'a message of JSON-RPC 2.0, as the Model Context Protocol defines it',
  properties: {
    jsonrpc: { type: 'string', enum: ['2.0'] },
    id: { type: ['string', 'integer', 'null'] },
    method: { type: 'string' },
    params: { type: 'object', additionalProperties: true },
    result: { type: 'object', additionalProperties: true },
    error: { type: 'object', additionalProperties: true },
  },
}

const json = (example: object) => ({ 'application/json': { schema: MESSAGE, example } })

/** The one path of another protocol: the document says where it is, and the protocol describes itself. */
export const mcpPaths = (tag: string) => ({
  '/api/mcp': {
    post: {
      operationId: 'sendMcpMessage',
      summary: 'Speak the Model Context Protocol.',
      description:
        'For AI clients: streamable HTTP, stateless, of the versions 2026-07-28 and 2025-11-25. The tools are those that the scopes of the key allow, and each does what an endpoint of this document does. A notification gets 202 without a body. See docs/mcp.md.',
      tags: [tag],
      'x-origin': 'extension',
      security: [{ apiKey: [] }],
      requestBody: { required: true, content: json({ jsonrpc: '2.0', id: 1, method: 'tools/list' }) },
      responses: {
        '200': {
          description: 'The answer to the message.',
          headers: COMMON_HEADERS,
          content: json({ jsonrpc: '2.0', id: 1, result: { tools: [] } }),
        },
        ...mcpFailures(
          json({ jsonrpc: '2.0', id: null, error: { code: -32_700, message: 'The body is not valid JSON.' } }),
        ),
      },
    },
  },
})
