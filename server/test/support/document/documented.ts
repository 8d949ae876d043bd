import { parseMarkdown } from '../inputs/markdown.ts'

/** A command, or a block of settings, that a document shows. */
export interface Documented {
  document: string
  line: number
  /** Its first line, by which it is listed. */
  key: string
  /** The complete text. */
  text: string
  /** Shown as a row of a table of commands. */
  isRow: boolean
}

/** True if a block of this language shows commands. */
export const isShell = (lang: string): boolean => ['sh', 'bash', 'shell', 'console'].includes(lang)

/** The commands of the operator's documents: blocks of `sh`, and the first column of tables of commands. */
export const documentedIn = (document: string, text: string): Documented[] => {
  const { blocks, tableCommands } = parseMarkdown(text)
  const shown = [
    ...blocks.filter(({ lang }) => isShell(lang)).map((block) => ({ ...block, isRow: false })),
    ...tableCommands.map((command) => ({ ...command, isRow: true })),
  ]
  const keyed = shown.map(({ text: all, line, isRow }) => ({
    document,
    line,
    key: all.split('\n')[0] as string,
    text: all,
    isRow,
  }))
  // A row may repeat a command of a block.
  return keyed
    .filter(({ text: all }, index) => keyed.findIndex((other) => other.text === all) === index)
    .toSorted((a, b) => a.line - b.line)
}

/**
 * One line for each command without a decision, each with an ambiguous first line, and each decision without a command.
 */
export const undecided = (document: string, text: string, decisions: Readonly<Record<string, unknown>>): string[] => {
  const shown = documentedIn(document, text)
  const keys = new Set(shown.map(({ key }) => key))
  return [
    ...shown
      .filter(({ key }) => !Object.hasOwn(decisions, key))
      .map(({ line, key }) => `${document}:${line}: no decision about: ${key}`),
    ...shown
      .filter(({ key }, index) => shown.findIndex((other) => other.key === key) !== index)
      .map(({ line, key }) => `${document}:${line}: begins like another block: ${key}`),
    ...Object.keys(decisions)
      .filter((key) => !keys.has(key))
      .map((key) => `${document}: does not show: ${key}`),
  ]
}
