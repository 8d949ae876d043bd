/** Pages whose texts one statement stores: its timeout is two seconds, and each word of a text is an index entry. */
const PAGES_AT_ONCE = 50
const CHARACTERS_AT_ONCE = 500_000

/**
 * Splits pages into parts that one statement each can store. A page that exceeds a part's size gets its own part.
 *
 * @param sizeOf length of the text of one item, in characters or bytes
 */
export const inParts = <T>(items: readonly T[], sizeOf: (item: T) => number): T[][] => {
  const parts: T[][] = []
  let size = 0
  for (const item of items) {
    const part = parts.at(-1)
    size += sizeOf(item)
    if (part && part.length < PAGES_AT_ONCE && size <= CHARACTERS_AT_ONCE) part.push(item)
    else {
      parts.push([item])
      size = sizeOf(item)
    }
  }
  return parts
}
