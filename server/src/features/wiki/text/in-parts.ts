/** Pages of which one statement stores the texts: it has two seconds, and each word of a text is an entry of an index. */
const PAGES_AT_ONCE = 50
const CHARACTERS_AT_ONCE = 500_000

/**
 * What is stored of some pages, in parts that one statement each stores. A page that is larger than a part is one by itself.
 *
 * @param sizeOf how long the text of one is, in characters or bytes
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
