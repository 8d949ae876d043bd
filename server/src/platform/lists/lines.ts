import { MAX_LINES } from '@sortie/contract/core/lists.ts'
import { type InputLine, pastedLines } from '@sortie/contract/core/pasted-lines.ts'
import { invalid } from '../errors.ts'

/**
 * Reads the non-empty lines of a pasted text.
 *
 * @throws ApiError VALIDATION_ERROR for more lines than one request takes
 */
export const readLines = (text: string): InputLine[] => {
  const lines: InputLine[] = []
  for (const line of pastedLines(text)) {
    if (lines.length === MAX_LINES) throw invalid(`text: must have at most ${MAX_LINES} lines`)
    lines.push(line)
  }
  return lines
}
