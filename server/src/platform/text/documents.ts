import { Composer, type Document, Lexer, Parser } from 'yaml'

/**
 * Levels of nesting in a file. Readers of files recurse, and Node 20 ends the whole process if the stack is full while a
 * regular expression is compiled, so deeper files are refused before they are read.
 */
const MAX_LEVELS = 200

export class TooDeep extends Error {
  constructor() {
    super(`it is nested deeper than ${MAX_LEVELS} levels`)
    this.name = 'TooDeep'
  }
}

/** @throws TooDeep; SyntaxError if the text is not JSON */
export const parseJson = (text: string): unknown => {
  const value = JSON.parse(text) as unknown
  refuseDeep(value)
  return value
}

/**
 * Parses one document of YAML 1.2.
 *
 * @param maxAliases aliases that a document may have for one anchor; 0: none
 * @throws TooDeep; YAMLParseError
 */
export const parseYaml = (text: string, maxAliases: number): unknown => {
  const composer = new Composer({ logLevel: 'silent' })
  let document: Document.Parsed | undefined
  for (const each of composer.compose(tokensOf(text), true, text.length)) {
    if (document) throw new SyntaxError('it has more than one document')
    document = each
    const [error] = each.errors
    if (error) throw error
  }
  return document?.toJS({ maxAliasCount: maxAliases }) as unknown
}

function* tokensOf(text: string) {
  const parser = new Parser()
  for (const lexeme of new Lexer().lex(text)) {
    yield* parser.next(lexeme)
    if (parser.stack.length > 2 * MAX_LEVELS) throw new TooDeep()
  }
  yield* parser.end()
}

/** Level by level, without recursion. */
const refuseDeep = (value: unknown): void => {
  let level = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_LEVELS) throw new TooDeep()
    level = level.flatMap((each) =>
      typeof each === 'object' && each !== null ? (Object.values(each) as unknown[]) : [],
    )
  }
}
