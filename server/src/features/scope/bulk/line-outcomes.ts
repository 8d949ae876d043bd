import { setImmediate as nextTurn } from 'node:timers/promises'
import { asMeant } from '@sortie/contract/core/pasted-lines.ts'
import { readLines } from '../../../platform/lists/lines.ts'

export interface LineOutcome {
  line: number
  input: string
  outcome: 'created' | 'known' | 'rejected'
  /** Id of the object that was created or already existed. */
  id: string | null
  reason: string | null
}

/** Maximum length of a line in the response. */
const MAX_INPUT = 4_096
/** Lines recognised per batch, so that other requests run in between. */
const LINE_BATCH_SIZE = 500

/** Each line as entered, with what it is recognised as; other requests run in between. */
export const recogniseLines = async <T>(
  text: string,
  recogniseOne: (meant: string) => T,
): Promise<{ line: number; input: string; found: T }[]> => {
  const recognised: { line: number; input: string; found: T }[] = []
  for (const [index, { line, input }] of readLines(text).entries()) {
    if (index % LINE_BATCH_SIZE === LINE_BATCH_SIZE - 1) await nextTurn()
    recognised.push({
      line,
      input: input.length > MAX_INPUT ? `${input.slice(0, MAX_INPUT)}…`.toWellFormed() : input,
      found: recogniseOne(asMeant(input)),
    })
  }
  return recognised
}

/** Outcomes with their counts. */
export const summed = <L extends Pick<LineOutcome, 'outcome'>>(lines: L[]) => {
  const count = (outcome: LineOutcome['outcome']) => lines.filter((each) => each.outcome === outcome).length
  return { created: count('created'), known: count('known'), rejected: count('rejected'), lines }
}
