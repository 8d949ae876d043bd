import type { Arguments } from './input.ts'
import type { Reply } from './tool.ts'
import { listed, type NextCall } from './untrusted.ts'

/** The call that reads the next page of a list; null on its last page. */
export const nextPage = (tool: string, args: Arguments, cursor: unknown): NextCall | null =>
  typeof cursor === 'string' ? { tool, arguments: { ...args, cursor } } : null

/**
 * A page of a list for a model.
 *
 * @param untrusted fields that hold text of targets and tools
 * @param readOn the call that reads one object of it as a whole
 */
export const listAnswer = (
  tool: string,
  args: Arguments,
  { data, meta }: Reply,
  untrusted: readonly string[] = [],
  readOn?: (item: { id: string }) => NextCall,
) => ({
  data:
    untrusted.length === 0
      ? data
      : data.map((item: Record<string, unknown> & { id: string }) => listed(item, untrusted, readOn?.(item))),
  ...(meta.total !== undefined && { total: meta.total }),
  next: nextPage(tool, args, meta.nextCursor),
})
