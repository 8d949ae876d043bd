const MAX_LENGTH = 160

const FENCE = /^\s*(?:```|~~~)/
const RULE = /^\s*(?:[-*_]\s*){3,}$/
const TABLE_RULE = /^\s*\|?(?:\s*:?-+:?\s*\|)+(?:\s*:?-+:?\s*)?$/
const HEADING = /^\s{0,3}#{1,6}\s/
/** Signs of quotes, bullets and boxes at the beginning of a line. */
const LINE_MARK = /^\s*(?:[>*+-]|\[[ xX]\])\s+/

/**
 * The first words of a Markdown text, without the marks that certainly are marks. Whatever may be meant stays as it was
 * written, in case of doubt with a mark too many: `_dmarc`, `*.example.com`, `10.0.0.1-50`, `<target>`, `~~old~~`.
 */
export const excerptOf = (markdown: string): string => {
  const lines = markdown.slice(0, 10_000).split(/\r?\n/)
  const texts = lines.filter((line) => !FENCE.test(line) && !RULE.test(line) && !TABLE_RULE.test(line))
  const first = texts.find((line) => !HEADING.test(line) && readLine(line) !== '') ?? texts.find((line) => readLine(line) !== '') ?? ''
  return readLine(first).slice(0, MAX_LENGTH)
}

const readLine = (line: string): string => {
  let rest = line.replace(HEADING, '')
  while (LINE_MARK.test(rest)) rest = rest.replace(LINE_MARK, '')
  return readInline(rest.replace(/^\s*\|\s*|\s*\|\s*$/g, ''))
}

/** Code is taken as it is; in what stands between, links become their text and strong words plain ones. */
const readInline = (text: string): string =>
  text
    .split(/(`[^`]+`)/)
    .map((part, index) => (index % 2 === 1 ? part.slice(1, -1) : withoutMarks(part)))
    .join('')
    .trim()

const withoutMarks = (text: string): string =>
  text.replace(/!?\[([^\][]*)\]\([^()\s]*\)/g, '$1').replace(/(?<!\*)\*\*(?=[\p{L}\p{N}])([^*]*)(?<=\S)\*\*(?!\*)/gu, '$1')
