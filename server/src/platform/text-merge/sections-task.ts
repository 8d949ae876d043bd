import { differenceOf, type Passage } from './difference.ts'
import { mergeTexts } from './merge.ts'

/** Texts by the name of their section. */
export type Sections = Readonly<Record<string, string>>

/** For each section that was sent: its base, the sent text and the current text. */
export interface MergeTask {
  base: Sections
  mine: Sections
  theirs: Sections
}

/** Runs in its own thread. @returns undefined if changes of a section overlap and differ */
export const mergeSections = ({ base, mine, theirs }: MergeTask): Sections | undefined => {
  const merged: Record<string, string> = {}
  for (const [section, text] of Object.entries(mine)) {
    const result = mergeTexts(base[section] ?? '', text, theirs[section] ?? '')
    if (result === undefined) return undefined
    merged[section] = result
  }
  return merged
}

/** Runs in its own thread. */
export const compareSections = ({ before, after }: { before: Sections; after: Sections }): Record<string, Passage[]> =>
  Object.fromEntries(
    Object.entries(after).map(([section, text]) => [section, differenceOf(before[section] ?? '', text)]),
  )
