import type { ImportedRequest, Problem } from '../imported.ts'

export const VARIABLE_NAME = /^[A-Za-z_][A-Za-z0-9_.-]{0,63}$/
/** Folders that are kept within each other. */
export const MAX_DEPTH = 19

/** A name in one line. */
export const nameOr = (name: string | undefined, fallback: string): string =>
  (name ?? '')
    .replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, ' ')
    .trim()
    .slice(0, 200)
    .trim() || fallback

interface Variable {
  name: string
  value: string
  secret: boolean
}

/** Keeps variables with valid names, each once; lists the others. */
export const usableVariables = (variables: readonly Variable[], problems: Problem[]): Variable[] => {
  const valid = variables.filter(({ name }) => {
    const isValid = VARIABLE_NAME.test(name)
    if (!isValid)
      problems.push({ position: `variable ${name.slice(0, 100)}`, reason: 'its name is not a valid variable name' })
    return isValid
  })
  return [...new Map(valid.map((variable) => [variable.name, variable])).values()]
}

/** A text body; JSON by its media type. */
export const textBody = (text: string, mediaType: string | undefined): Pick<ImportedRequest, 'body'> => {
  if (text === '') return {}
  if (/^application\/(?:[\w.+-]*\+)?json\b/i.test(mediaType ?? '')) return { body: { mode: 'json', text } }
  return { body: { mode: 'raw', text, ...(mediaType && { mediaType: mediaType.slice(0, 200) }) } }
}
