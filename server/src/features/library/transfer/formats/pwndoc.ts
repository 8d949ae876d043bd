import { htmlToMarkdown } from './html-to-markdown.ts'
import {
  type Fields,
  fieldsIn,
  type ImportedEntry,
  keyFrom,
  languageFrom,
  linesIn,
  listIn,
  tagsFrom,
  textIn,
  vectorFrom,
} from './imported-entry.ts'

/** Vulnerabilities of PwnDoc: a list or one, or an answer of its API, with the texts by language in `details`. */
export const readPwnDoc = (document: unknown): ImportedEntry[] =>
  listIn(fieldsIn(document)['datas'] ?? document).map(readVulnerability)

const readVulnerability = (value: unknown): ImportedEntry => {
  const vulnerability = fieldsIn(value)
  const details = listIn(vulnerability['details']).map(fieldsIn)
  const main = details.find(({ title }) => textIn(title) !== '') ?? details[0] ?? {}
  const texts = Object.fromEntries(
    details.map((detail) => [languageFrom(detail['locale']), textOf(detail, vulnerability)]),
  )
  return {
    key: keyFrom(textIn(main['title'])),
    cvssVector: vectorFrom(vulnerability['cvssv4']) ?? vectorFrom(vulnerability['cvssv3']),
    tags: tagsFrom(vulnerability['category'], main['vulnType']),
    mainLanguage: languageFrom(main['locale']),
    texts,
  }
}

const textOf = (detail: Fields, vulnerability: Fields) => {
  const own = referencesIn(detail)
  return {
    title: textIn(detail['title']).trim(),
    description: [htmlToMarkdown(textIn(detail['description'])), ...customTexts(detail)].filter(Boolean).join('\n\n'),
    reproduction: htmlToMarkdown(textIn(detail['observation'])),
    recommendation: htmlToMarkdown(textIn(detail['remediation'])),
    // Old versions have the references at the vulnerability, for all languages.
    references: own.length > 0 ? own : referencesIn(vulnerability),
  }
}

const referencesIn = (fields: Fields): string[] => listIn(fields['references']).flatMap((line) => linesIn(textIn(line)))

/** Texts of the fields that the instance added; an export has their labels only if it was made with them. */
const customTexts = (detail: Fields): string[] =>
  listIn(detail['customFields']).flatMap((value) => {
    const { customField, text } = fieldsIn(value)
    const written = listIn(text)
      .map((part) => htmlToMarkdown(textIn(part)))
      .filter(Boolean)
      .join(', ')
    const label = textIn(fieldsIn(customField)['label']).trim()
    return written === '' ? [] : [label === '' ? written : `## ${label}\n\n${written}`]
  })
