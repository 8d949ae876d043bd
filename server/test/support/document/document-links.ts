import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseMarkdown } from '../inputs/markdown.ts'

/** How links are followed; a test may replace the files with documents of its own. */
export interface Files {
  exists(file: string): boolean
  read(file: string): string
}

const DISK: Files = { exists: existsSync, read: (file) => readFileSync(file, 'utf8') }

/**
 * Broken links of a document: to a missing file, or to a missing heading of a document. Links to other sites are not
 * followed.
 *
 * @returns one line for each, with the line of the document
 */
export const brokenLinks = (file: string, files: Files = DISK): string[] =>
  parseMarkdown(files.read(file)).links.flatMap(({ target, line }) => {
    if (/^[a-z][a-z0-9+.-]*:/i.test(target)) return []
    const [name = '', anchor] = target.split('#')
    const linked = name === '' ? file : path.join(path.dirname(file), decodeURIComponent(name))
    if (!files.exists(linked)) return [`${file}:${line}: ${target}: there is no ${linked}`]
    if (anchor === undefined) return []
    if (!linked.endsWith('.md')) return [`${file}:${line}: ${target}: only Markdown has anchors`]
    return parseMarkdown(files.read(linked)).anchors.has(anchor)
      ? []
      : [`${file}:${line}: ${target}: ${linked} has no such heading`]
  })

/** Sections of documents that a text of the sources or of `deploy/` refers to, such as `docs/operating.md, "Files"`. */
export const namedSections = (text: string): { document: string; section: string }[] => [
  ...[...text.matchAll(/"([^"\n]+)"[\s\\'+#]* in (docs\/[\w/-]+\.md)/g)].map(([, section = '', document = '']) => ({
    document,
    section,
  })),
  ...[...text.matchAll(/(docs\/[\w/-]+\.md), (?:section )?"([^"\n]+)"/g)].map(([, document = '', section = '']) => ({
    document,
    section,
  })),
]

export const hasSection = (document: string, section: string): boolean =>
  existsSync(document) &&
  readFileSync(document, 'utf8')
    .split('\n')
    .some((line) => /^#+ /.test(line) && line.replace(/^#+ /, '') === section)
