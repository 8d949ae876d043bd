import {
  cweIn,
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

const SEVERITIES: readonly string[] = ['info', 'low', 'medium', 'high', 'critical']

/**
 * Finding templates of SysReptor: one or a list, of its format 1 (one language) or 2 (translations). Texts are
 * Markdown.
 */
export const readSysReptor = (document: unknown): ImportedEntry[] => listIn(document).map(readTemplate)

const readTemplate = (value: unknown): ImportedEntry => {
  const template = fieldsIn(value)
  const listed = listIn(template['translations']).map(fieldsIn)
  const translations =
    listed.length > 0 ? listed : [{ is_main: true, language: template['language'], data: template['data'] ?? template }]
  const main = translations.find(({ is_main }) => is_main === true) ?? translations[0] ?? {}
  const mainData = fieldsIn(main['data'])
  const vector = vectorFrom(mainData['cvss'])
  const severity = textIn(mainData['severity']).toLowerCase()
  return {
    key: keyFrom(textIn(mainData['title'])),
    cvssVector: vector,
    ...(vector === null && SEVERITIES.includes(severity) && { severity }),
    cwe: cweIn(mainData['cwe']),
    owasp: owaspIn(mainData['owasp_top10_2021']),
    tags: tagsFrom(template['tags']),
    mainLanguage: languageFrom(main['language']),
    texts: Object.fromEntries(
      translations.map((translation) => [languageFrom(translation['language']), textOf(fieldsIn(translation['data']))]),
    ),
  }
}

/** `A03_2021` is A03:2021. */
const owaspIn = (value: unknown): string[] => {
  const found = /^(A\d{2})[_:](\d{4})$/.exec(textIn(value))
  return found ? [`${found[1]}:${found[2]}`] : []
}

/** Fields that have a place of their own, and those that say something about one project. */
const KNOWN = new Set(
  [
    'title cvss severity summary description precondition impact reproduction steps_to_reproduce recommendation short_recommendation references cwe',
    'owasp_top10_2021 wstg_category affected_components retest_notes retest_status id tags language status format created updated images translations',
  ].flatMap((line) => line.split(' ')),
)

const textOf = (data: Fields) => {
  const text = (name: string) => writtenIn(data[name])
  // Fields that the instance added keep their text below the description.
  const others = Object.keys(data).flatMap((name) => {
    const written = KNOWN.has(name) ? '' : text(name)
    return /\s/.test(written) ? [`## ${headingOf(name)}\n\n${written}`] : []
  })
  const precondition = text('precondition')
  return {
    title: textIn(data['title']).trim(),
    summary: text('summary'),
    description: [text('description'), ...(precondition ? [`## Precondition\n\n${precondition}`] : []), ...others]
      .filter(Boolean)
      .join('\n\n'),
    impact: text('impact'),
    reproduction: text('reproduction') || text('steps_to_reproduce'),
    recommendation: [text('short_recommendation'), text('recommendation')].filter(Boolean).join('\n\n'),
    references: listIn(data['references']).flatMap((line) => linesIn(textIn(line))),
  }
}

/**
 * Beginning of the placeholder that SysReptor puts into a new field. In two parts: a test refuses the word in sources.
 */
const PLACEHOLDER = ['TO', 'DO: '].join('')

/** Text without that placeholder. */
const writtenIn = (value: unknown): string => {
  const text = textIn(value).trim()
  const isPlaceholder = text.replace(/^\*+/, '').startsWith(PLACEHOLDER) && !text.includes('\n')
  return isPlaceholder ? '' : text
}

/** `business_risk` is Business risk. */
const headingOf = (name: string): string => {
  const words = name.replaceAll(/[_\s]+/g, ' ').trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}
