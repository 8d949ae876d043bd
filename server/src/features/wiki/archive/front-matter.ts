import Type from 'typebox'
import { Check } from 'typebox/value'

/** The data that an export stores about a page in addition to its text. */
export interface FrontMatter {
  title: string
  /** Position among the pages of its folder. */
  order: number
  isTemplate: boolean
  /** Addresses that a user wrote, although they match a path of the archive. */
  written: readonly string[]
  /** Original names of renamed files, by their name in the archive. */
  fileNames: ReadonlyMap<string, string>
}

/** Only texts with this start have our front matter; others start with user text. */
const FIRST_LINES = '---\nsortie: 1\n'
const END = '\n---\n'

const Written = Type.Array(Type.String())
const FileNames = Type.Array(Type.Tuple([Type.String(), Type.String()]))

export const withFrontMatter = (
  { title, order, isTemplate, written, fileNames }: FrontMatter,
  body: string,
): string => {
  const lines = [`title: ${JSON.stringify(title)}`, `order: ${order}`, `template: ${isTemplate}`]
  if (written.length > 0) lines.push(`written: ${JSON.stringify(written)}`)
  if (fileNames.size > 0) lines.push(`files: ${JSON.stringify([...fileNames])}`)
  return `${FIRST_LINES}${lines.join('\n')}${END}${body}`
}

/** Maximum length of another program's front matter: names and values in YAML. */
const MAX_PROPERTIES = 20_000

const propertiesAsCode = (text: string): string => {
  const first = /^---\r?\n/.exec(text)?.[0]
  if (first === undefined) return text
  const head = text.slice(first.length, first.length + MAX_PROPERTIES)
  const end = /^---[ \t]?\r?$/m.exec(head)
  if (!end) return text
  const rest = text.slice(first.length + end.index + end[0].length)
  return `\`\`\`yaml\n${head.slice(0, end.index)}\`\`\`${rest || '\n'}`
}

/**
 * @returns the text without our front matter, and its values as far as they are valid. Properties of another program
 *   stay as code: as text their last line would be a heading.
 */
export const readFrontMatter = (text: string): { body: string; front: Partial<FrontMatter>; isOurs: boolean } => {
  const end = text.startsWith(FIRST_LINES) ? text.indexOf(END, FIRST_LINES.length - 1) : -1
  if (end < 0) return { body: propertiesAsCode(text), front: {}, isOurs: false }
  const lines = new Map(
    text
      .slice(FIRST_LINES.length, end)
      .split('\n')
      .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()] as const),
  )
  const [title, written, fileNames] = [
    parsed(lines.get('title')),
    parsed(lines.get('written')),
    parsed(lines.get('files')),
  ]
  const order = Number(lines.get('order') ?? Number.NaN)
  return {
    body: text.slice(end + END.length),
    front: {
      ...(typeof title === 'string' && { title }),
      ...(Number.isSafeInteger(order) && { order }),
      isTemplate: lines.get('template') === 'true',
      ...(Check(Written, written) && { written }),
      ...(Check(FileNames, fileNames) && { fileNames: new Map(fileNames) }),
    },
    isOurs: true,
  }
}

const parsed = (json: string | undefined): unknown => {
  try {
    return JSON.parse(json ?? 'null')
  } catch {
    return undefined
  }
}
