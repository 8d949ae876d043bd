import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { ENDPOINTS } from '@sortie/contract/core/contract.ts'
import { parseSync, Visitor } from 'oxc-parser'
import type { JsonSchema } from '../walks/walk.ts'

export interface FoundRegex {
  /** File, or endpoint and field. */
  where: string
  pattern: string
  flags: string
}

/** Every regular expression literal in the sources below a folder, and the files that build others from text. */
export const regexesIn = (folder: string): { literals: FoundRegex[]; constructing: string[] } => {
  const literals: FoundRegex[] = []
  const constructing: string[] = []
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/\.tsx?$/.test(entry.name) || entry.name.includes('.test.')) continue
    const where = path.join(entry.parentPath, entry.name)
    const { program, errors } = parseSync(where, readFileSync(where, 'utf8'))
    if (errors.length > 0) throw new Error(`${where} cannot be parsed: ${errors[0]?.message}`)
    new Visitor({
      Literal: (node) => {
        if ('regex' in node) literals.push({ where, pattern: node.regex.pattern, flags: node.regex.flags })
      },
      NewExpression: ({ callee }) => {
        if (callee.type === 'Identifier' && callee.name === 'RegExp') constructing.push(where)
      },
    }).visit(program)
  }
  return { literals, constructing }
}

/** The patterns of the contract's schemas, as the validation compiles them. */
export const schemaPatterns = (): FoundRegex[] => {
  const found = new Map<string, FoundRegex>()
  const collect = (where: string, schema: JsonSchema) => {
    if (schema.pattern) found.set(schema.pattern, { where, pattern: schema.pattern, flags: 'u' })
    for (const [name, property] of Object.entries(schema.properties ?? {})) collect(`${where}.${name}`, property)
    if (schema.items) collect(`${where}[]`, schema.items)
  }
  for (const { id, params, query, body } of ENDPOINTS) {
    for (const schema of [params, query, body]) if (schema) collect(id, schema as unknown as JsonSchema)
  }
  return [...found.values()]
}
