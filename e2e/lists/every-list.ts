import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'

const SOURCES = path.join(import.meta.dirname, '../../web/src')

/** Names of all lists in the sources, future ones included. */
export const everyList = (): string[] =>
  globSync('**/*.tsx', { cwd: SOURCES }).flatMap((file) => {
    const source = readFileSync(path.join(SOURCES, file), 'utf8')
    return [...source.matchAll(/<Grid(?:View)?(?=\s)(?:(?!\/>)[\s\S])*?\slabel="([^"]+)"/g)].map(
      ([, label]) => label as string,
    )
  })

/** The pages with a list, as `everyPage` names them. */
export const PAGES: ReadonlySet<string> = new Set(
  `engagements targets scope results results-diff tasks-list my-tasks methodologies methodology findings finding-assets
   clients library retests reports report-templates imports scans scan-schedules operations engagement-files`.split(
    /\s+/,
  ),
)
