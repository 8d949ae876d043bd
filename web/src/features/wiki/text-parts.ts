/** Characters that are rendered within a few milliseconds. */
const PART_LENGTH = 8_000
const FENCE = /^ {0,3}(?:`{3,}|~{3,})/

/** Cuts a long text at blank lines outside of fenced code. A short one stays whole. */
export const partsOf = (text: string): string[] => {
  if (text.length <= PART_LENGTH) return [text]
  const parts: string[] = []
  let part: string[] = []
  let length = 0
  let isFenced = false
  for (const line of text.split('\n')) {
    if (FENCE.test(line)) isFenced = !isFenced
    part.push(line)
    length += line.length + 1
    // What has no place to be cut is cut all the same: one paragraph of half a megabyte would stop the page.
    if ((length >= PART_LENGTH && line.trim() === '' && !isFenced) || length >= 4 * PART_LENGTH) {
      parts.push(part.join('\n'))
      part = []
      length = 0
    }
  }
  return [...parts, part.join('\n')].flatMap((one) => (one.length > 8 * PART_LENGTH ? chunks(one) : [one]))
}

const chunks = (text: string): string[] =>
  Array.from({ length: Math.ceil(text.length / PART_LENGTH) }, (_, index) => text.slice(index * PART_LENGTH, (index + 1) * PART_LENGTH))
