import { parseConfig, VARIABLES } from '../platform/config.ts'
import { renderOpenPoints } from './open-points.ts'
import { publishedDocument } from './published-document.ts'
import { renderCases } from './recognition-cases.ts'

/** Generated text is between two comments of a handwritten page. */
const between = (subject: string, render: () => string) => (before: string) => {
  const [begin, end] = [`<!-- ${subject}: made by npm run openapi -->`, `<!-- end of ${subject} -->`]
  const [head, tail] = [before.split(begin)[0], before.split(end)[1]]
  if (head === undefined || tail === undefined) throw new Error(`a page lacks the marks of ${subject}`)
  return `${head}${begin}\n${render()}${end}${tail}`
}

/** Committed files that are generated from the sources: paths from the root of the repository. */
export const GENERATED_FILES: Record<string, (before: string) => string | Promise<string>> = {
  'docs/openapi.json': async () => `${JSON.stringify(await publishedDocument(DEFAULTS), null, 2)}\n`,
  'docs/open-points.md': renderOpenPoints,
  'docs/operating.md': between('variables', () => renderVariables()),
  'docs/features/targets.md': between('cases', () => renderCases()),
}

/** A configuration of defaults only. */
const DEFAULTS = parseConfig({ SESSION_SECRET: 'only there because a secret is required' })

interface Variable {
  doc: string
  fallback?: string | ((read: () => undefined) => string)
  required?: true
  secret?: true
}

const renderVariables = (): string => {
  const rows = Object.entries<Variable>(VARIABLES).map(([name, variable]) => {
    const meaning = `${variable.doc.replaceAll('|', '\\|')}${variable.secret ? ` Also \`${name}_FILE\`.` : ''}`
    return `| \`${name}\` | ${defaultOf(variable)} | ${meaning} |`
  })
  return `| Variable | Default | Meaning |\n|---|---|---|\n${rows.join('\n')}\n`
}

/** The text used if nothing is set; if it follows from other variables, its value with their defaults. */
const defaultOf = ({ fallback, required }: Variable): string => {
  if (required) return 'none: required'
  if (fallback === undefined) return 'not set'
  return `\`${typeof fallback === 'function' ? fallback(() => undefined) : fallback}\``
}
