import { SEVERITIES } from '@sortie/contract/core/values.ts'

/**
 * A rule of a scanner that means this entry, as results carry it in `tool` and `ruleId`. A `*` at the end matches any
 * ending.
 */
export interface BuiltInRule {
  tool: 'nuclei' | 'nessus' | 'burp' | 'zap' | 'testssl'
  ruleId: string
}

/** What the client reads, in Markdown. `title` and `summary` are one paragraph; `references` are addresses. */
export interface BuiltInText {
  title: string
  summary: string
  description: string
  impact: string
  reproduction: string
  recommendation: string
  references: readonly string[]
}

/** A library entry that is part of the product. */
export interface BuiltInEntry {
  /** Never changes: findings and copies of the entry name it. */
  key: string
  severity: (typeof SEVERITIES)[number]
  /** The usual case; the consultant adapts it to what was found. */
  cvssVector: string
  cwe: readonly string[]
  /** OWASP Top 10 of 2021 and 2025, API Security Top 10 of 2023, Mobile Top 10 of 2024. */
  owasp: readonly string[]
  /** Tests of the Web Security Testing Guide, version 4.2. */
  wstg: readonly string[]
  /** Techniques of MITRE ATT&CK. */
  attack: readonly string[]
  tags: readonly string[]
  rules: readonly BuiltInRule[]
  /** For testers, in Markdown: how to confirm the finding and to rule out a false positive. Never printed. */
  guidance: string
  mainLanguage: 'en'
  texts: Readonly<Record<'en' | 'de', BuiltInText>>
}

/** Paragraphs and items of lists, in their order. */
type Blocks = readonly string[]

interface WrittenText {
  title: string
  summary: string
  description: Blocks
  impact: Blocks
  reproduction: Blocks
  recommendation: Blocks
}

interface WrittenEntry extends Omit<BuiltInEntry, 'rules' | 'guidance' | 'mainLanguage' | 'texts'> {
  rules: {
    /** Ids of templates. */
    nuclei?: readonly string[]
    /** Numbers of plugins. */
    nessus?: readonly number[]
    /** Type indexes, as PortSwigger's issue definitions list them. */
    burp?: readonly number[]
    /** Ids of alerts. `40018` includes its numbered variants (`40018-1`); `10035-1` is only that variant. */
    zap?: readonly string[]
    /** Ids of checks. */
    testssl?: readonly string[]
  }
  /** Addresses, the same in both languages. */
  references: readonly string[]
  guidance: Blocks
  en: WrittenText
  de: WrittenText
}

/** An entry from its source. */
export const entry = ({ rules, references, guidance, en, de, ...rest }: WrittenEntry): BuiltInEntry => ({
  ...rest,
  rules: [
    ...rulesOf('nuclei', rules.nuclei),
    ...rulesOf('nessus', rules.nessus?.map(String)),
    // The reader of Burp's files writes the type index, a colon and the name of the issue.
    ...rulesOf(
      'burp',
      rules.burp?.map((type) => `${type}: *`),
    ),
    ...rulesOf(
      'zap',
      rules.zap?.flatMap((id) => (id.includes('-') ? [id] : [id, `${id}-*`])),
    ),
    ...rulesOf('testssl', rules.testssl),
  ],
  guidance: markdown(guidance),
  mainLanguage: 'en',
  texts: { en: textOf(en, references), de: textOf(de, references) },
})

const rulesOf = (tool: BuiltInRule['tool'], ids: readonly string[] = []): BuiltInRule[] =>
  ids.map((ruleId) => ({ tool, ruleId }))

const textOf = (
  { description, impact, reproduction, recommendation, ...rest }: WrittenText,
  references: readonly string[],
): BuiltInText => ({
  ...rest,
  description: markdown(description),
  impact: markdown(impact),
  reproduction: markdown(reproduction),
  recommendation: markdown(recommendation),
  references,
})

const LIST_ITEM = /^(?:- |\d+\. )/

/** Items of a list follow each other; other blocks have a blank line before them. */
const markdown = (blocks: Blocks): string =>
  blocks.reduce((text, block, index) => {
    const follows = LIST_ITEM.test(block) && LIST_ITEM.test(blocks[index - 1] ?? '')
    return index === 0 ? block : `${text}${follows ? '\n' : '\n\n'}${block}`
  }, '')
