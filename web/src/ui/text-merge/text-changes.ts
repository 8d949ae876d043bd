import { diffArrays } from 'diff'

export interface TextChange {
  from: number
  to: number
  insert: string
}

/** Time limit of the diff. Beyond it, the text is replaced as a whole. */
const MAX_MS = 200

/** Changes that turn one text into another, by line, as positions in the first. */
export const changesBetween = (before: string, after: string): TextChange[] => {
  const lines = (text: string) => text.split(/(?<=\n)/)
  const parts = diffArrays(lines(before), lines(after), { timeout: MAX_MS })
  if (!parts) return [{ from: 0, to: before.length, insert: after }]
  const changes: TextChange[] = []
  let at = 0
  for (const { added, removed, value } of parts) {
    const text = value.join('')
    const last = changes.at(-1)
    if (added) {
      if (last?.to === at) last.insert += text
      else changes.push({ from: at, to: at, insert: text })
      continue
    }
    if (removed) {
      if (last?.to === at) last.to += text.length
      else changes.push({ from: at, to: at + text.length, insert: '' })
    }
    at += text.length
  }
  return changes
}

interface LinePassage {
  type: 'same' | 'added' | 'removed'
  lines: string[]
}

/** Lines of both texts, in order, with what was added and removed; none for an empty text. */
export const passagesBetween = (before: string, after: string): LinePassage[] => {
  const lines = (text: string) => (text === '' ? [] : text.split('\n'))
  const parts = diffArrays(lines(before), lines(after), { timeout: MAX_MS }) ?? [
    { added: false, removed: true, value: lines(before) },
    { added: true, removed: false, value: lines(after) },
  ]
  return parts.map(({ added, removed, value }) => ({
    type: added ? 'added' : removed ? 'removed' : 'same',
    lines: value,
  }))
}
