import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** Imports found by a regular expression, without a compiler; a file that it misses counts as missing. */
const IMPORT =
  /(?:^|\n)\s*(?:import|export)\b[^'"`;]*?\bfrom\s*'([^']+)'|(?:^|\n)\s*import\s*'([^']+)'|\bimport\(\s*'([^']+)'\s*\)/g

export interface Source {
  /** From the root of the checkout: `server/src/app/app.ts`. */
  file: string
  text: string
  lines: number
  /**
   * The specifier as it is written; the target is the resolved file of relative ones. Types and lazy imports are
   * included.
   */
  imports: { specifier: string; target: string }[]
}

/** All TypeScript sources below a directory of the checkout. */
export const readSources = (directory: string): Source[] =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !entry.parentPath.includes('node_modules'))
    .map((entry) => {
      const file = path.relative('.', path.join(entry.parentPath, entry.name))
      return sourceOf(file, readFileSync(file, 'utf8'))
    })

/** A source with this text, whether or not the file exists. */
export const sourceOf = (file: string, text: string): Source => {
  const imports = [...text.matchAll(IMPORT)].map((match) => {
    const specifier = (match[1] ?? match[2] ?? match[3]) as string
    return { specifier, target: resolveImport(file, specifier) }
  })
  return { file, text, lines: text.split('\n').length - 1, imports }
}

/** The file that an import names, from the root of the checkout; a library by its specifier. */
export const resolveImport = (from: string, specifier: string): string => {
  if (specifier.startsWith('.')) return path.join(path.dirname(from), specifier)
  if (specifier.startsWith('@sortie/'))
    return specifier.replace(/^@sortie\/([\w-]+)\//, '$1/src/').replace('/src/src/', '/src/')
  return specifier
}

/** Every import that a rule forbids, as `file imports target`. */
export const violations = (sources: Source[], forbids: (target: string, from: Source) => boolean): string[] =>
  sources.flatMap((source) =>
    source.imports
      .filter(({ target }) => forbids(target, source))
      .map(({ target }) => `${source.file} imports ${target}`),
  )

/** Circles of a graph, each as `a → b → a`. */
export const circlesIn = (graph: ReadonlyMap<string, readonly string[]>): string[] => {
  const found: string[] = []
  const state = new Map<string, 'open' | 'done'>()
  const visit = (file: string, trail: string[]) => {
    if (state.get(file) === 'done' || !graph.has(file)) return
    if (state.get(file) === 'open') {
      found.push([...trail.slice(trail.indexOf(file)), file].join(' → '))
      return
    }
    state.set(file, 'open')
    for (const target of graph.get(file) ?? []) visit(target, [...trail, file])
    state.set(file, 'done')
  }
  for (const file of graph.keys()) visit(file, [])
  return found
}
