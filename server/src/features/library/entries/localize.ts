import type { LibraryTextValue } from '@sortie/contract/findings/library-fields.ts'

interface Localized {
  main_language: string
  texts: Readonly<Record<string, LibraryTextValue>>
}

/**
 * The first wanted language that an entry has: `de-AT` also finds `de`, and `de` finds `de-AT`. Otherwise the main
 * language.
 */
export const languageOf = (available: readonly string[], mainLanguage: string, wanted: readonly string[]): string => {
  for (const language of wanted) {
    const exact = available.find((one) => one.toLowerCase() === language.toLowerCase())
    const near = exact ?? available.find((one) => primaryOf(one) === primaryOf(language))
    if (near !== undefined) return near
  }
  return mainLanguage
}

const primaryOf = (language: string): string => (language.split('-')[0] as string).toLowerCase()

/** The texts of an entry in the first language that it has; what is missing there comes from the main language. */
export const localize = (
  { main_language, texts }: Localized,
  wanted: readonly string[],
): { language: string; text: LibraryTextValue } => {
  const language = languageOf(Object.keys(texts), main_language, wanted)
  const main = texts[main_language] as LibraryTextValue
  const own = texts[language] ?? main
  const filled = Object.entries(own).map(([field, value]) => [
    field,
    value.length > 0 ? value : main[field as keyof LibraryTextValue],
  ])
  return { language, text: Object.fromEntries(filled) as LibraryTextValue }
}
