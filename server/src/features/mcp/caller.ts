import type { ApiError } from '../../platform/errors.ts'
import type { ToolCall } from './tools/tool.ts'

/** What the tools and resources of one request act with. */
export interface McpCaller extends Pick<ToolCall, 'actor' | 'permits' | 'call'> {
  /** Names the called tool in the log line of the request. */
  noteTool(name: string): void
  /** Turns what was thrown into an answer, and logs what no client caused. */
  toError(thrown: unknown): ApiError
}
