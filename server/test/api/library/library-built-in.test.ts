import { scoreOf, severityOfScore } from '@sortie/contract/inventory/cvss.ts'
import { describe, expect, test } from 'vitest'
import { type BuiltInEntry, type BuiltInRule, type BuiltInText } from '../../../src/features/library/built-in/entry.ts'
import { builtInEntries } from '../../../src/features/library/built-in/index.ts'
import { wstg } from '../../../src/features/methodologies/built-in/wstg/wstg.ts'

const texts = builtInEntries.flatMap(({ key, texts: { en, de } }) => [
  { at: `${key} en`, text: en },
  { at: `${key} de`, text: de },
])
const SECTIONS = ['summary', 'description', 'impact', 'reproduction', 'recommendation'] as const
const wholeText = (text: BuiltInText): string => [text.title, ...SECTIONS.map((section) => text[section])].join('\n\n')

/** Entries for which a condition does not hold. */
const except = (holds: (entry: BuiltInEntry) => boolean): string[] =>
  builtInEntries.filter((entry) => !holds(entry)).map(({ key }) => key)
/** Texts for which a condition does not hold. */
const exceptTexts = (holds: (text: BuiltInText) => boolean): string[] =>
  texts.filter(({ text }) => !holds(text)).map(({ at }) => at)

describe('the built-in library', () => {
  test('has 80 entries with unique keys that are slugs of at most 40 characters', () => {
    expect(builtInEntries).toHaveLength(80)
    expect(new Set(builtInEntries.map(({ key }) => key)).size).toBe(80)
    expect(except(({ key }) => key.length <= 40 && /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(key))).toEqual([])
  })

  test('gives each entry the severity of its CVSS vector', () => {
    const different = builtInEntries.filter(({ cvssVector, severity }) => {
      const score = scoreOf(cvssVector)
      return score === undefined || severityOfScore(score) !== severity
    })
    expect(different.map(({ key, cvssVector, severity }) => `${key}: ${severity}, ${scoreOf(cvssVector)}`)).toEqual([])
  })

  test('names CWE, OWASP, WSTG and ATT&CK ids of the right form, each once, and at least one CWE', () => {
    const tests = new Set(wstg.items.map(({ key }) => key))
    const form = /^(?:A(?:0[1-9]|10):20(?:21|25)|API(?:[1-9]|10):2023|M(?:[1-9]|10):2024)$/
    expect(except(({ cwe }) => cwe.length > 0 && cwe.every((id) => /^CWE-[1-9]\d{0,3}$/.test(id)))).toEqual([])
    expect(except(({ owasp }) => owasp.length > 0 && owasp.every((id) => form.test(id)))).toEqual([])
    expect(except((entry) => entry.wstg.every((id) => tests.has(id)))).toEqual([])
    expect(except(({ attack }) => attack.every((id) => /^T\d{4}(?:\.\d{3})?$/.test(id)))).toEqual([])
    expect(
      except((entry) =>
        [entry.cwe, entry.owasp, entry.wstg, entry.attack, entry.tags].every((ids) => new Set(ids).size === ids.length),
      ),
    ).toEqual([])
    expect(
      except(({ tags }) => tags.length > 0 && tags.every((tag) => /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(tag))),
    ).toEqual([])
  })

  test('has every text in English and German, within the limits of findings', () => {
    expect(
      except((entry) => entry.mainLanguage === 'en' && entry.guidance.length > 100 && entry.guidance.length <= 20_000),
    ).toEqual([])
    expect(exceptTexts(({ title }) => title.length > 5 && title.length <= 300 && !title.includes('\n'))).toEqual([])
    expect(
      exceptTexts((text) =>
        SECTIONS.every((section) => text[section].trim() === text[section] && text[section].length <= 50_000),
      ),
    ).toEqual([])
    expect(exceptTexts(({ summary }) => summary.length <= 300 && !summary.includes('\n'))).toEqual([])
    const same = builtInEntries.filter(({ texts: { en, de } }) =>
      SECTIONS.some((section) => en[section] === de[section]),
    )
    expect(same.map(({ key }) => key)).toEqual([])
  })

  test('says in every section at least one whole sentence, and recommends at least two steps', () => {
    expect(exceptTexts((text) => SECTIONS.every((section) => /\p{L}[^.]{20,}\.(?:\s|$)/u.test(text[section])))).toEqual(
      [],
    )
    expect(exceptTexts(({ recommendation }) => (recommendation.match(/^- .{30,}\.$/gm)?.length ?? 0) >= 2)).toEqual([])
    expect(exceptTexts(({ reproduction }) => /^1\. .+\n2\. /.test(reproduction))).toEqual([])
  })

  test('has the same steps, recommendations and code in both languages', () => {
    const shape = (text: BuiltInText) =>
      SECTIONS.map((section) =>
        text[section].match(/^(?:- |\d+\. )|^.|`/gm)?.map((found) => found.replace(/^\p{L}$/u, 'p')),
      )
    expect(except(({ texts: { en, de } }) => JSON.stringify(shape(en)) === JSON.stringify(shape(de)))).toEqual([])
  })

  test('refers to unique addresses of https, at least two for each entry', () => {
    const isAddress = (address: string) =>
      URL.canParse(address) && address.startsWith('https://') && !/\s/.test(address) && address.length <= 2_000
    expect(
      exceptTexts(
        ({ references }) =>
          references.length >= 2 && references.every(isAddress) && new Set(references).size === references.length,
      ),
    ).toEqual([])
  })

  test('contains no unfinished text, no address of a real host, and none of the words that the product avoids', () => {
    const unfinished = /\b(?:lorem|tbd|xxx)\b|\[[^\]\n]*\](?!\()|\?\?/i
    const avoided = /\b(?:click here|please|simply|obviously)\b/i
    const german = /\b(?:bitte|einfach nur|offensichtlich|nichtsdestotrotz)\b/i
    const words = (text: string) => text.replaceAll(/`[^`\n]*`/g, '')
    expect(exceptTexts((text) => !unfinished.test(words(wholeText(text))))).toEqual([])
    expect(except(({ guidance, texts: { en } }) => !avoided.test(words(`${guidance}\n${wholeText(en)}`)))).toEqual([])
    expect(except(({ texts: { de } }) => !german.test(words(wholeText(de))))).toEqual([])
    expect(exceptTexts((text) => !/\b(?!0\.0\.0\.0)\d{1,3}(?:\.\d{1,3}){3}\b/.test(wholeText(text)))).toEqual([])
  })
})

describe('the rules of the built-in library', () => {
  const rules = builtInEntries.flatMap(({ key, rules: own }) => own.map((rule) => ({ key, ...rule })))
  const matches = (rule: BuiltInRule, ruleId: string): boolean =>
    rule.ruleId.endsWith('*') ? ruleId.startsWith(rule.ruleId.slice(0, -1)) : rule.ruleId === ruleId

  test('have the form that results of the tool carry', () => {
    const forms: Record<BuiltInRule['tool'], RegExp> = {
      nuclei: /^[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*(?:-\*)?$/,
      nessus: /^\d{5,6}$/,
      burp: /^\d{7,8}: \*$/,
      zap: /^\d{1,5}(?:-(?:\d{1,2}|\*))?$/,
      testssl: /^[A-Za-z]\w*(?:-\w+)?$/,
    }
    expect(rules.filter(({ tool, ruleId }) => !forms[tool].test(ruleId))).toEqual([])
    expect(new Set(rules.map(({ tool }) => tool))).toEqual(new Set(Object.keys(forms)))
  })

  test('belong to one entry each; only the CVE templates of nuclei have an entry for all and a more exact one', () => {
    const shared = rules.flatMap((rule) =>
      rules
        .filter((other) => other !== rule && other.tool === rule.tool && matches(rule, other.ruleId))
        .map((other) => `${other.ruleId} of ${other.key} is also ${rule.key}`),
    )
    expect(shared).toEqual(['CVE-2014-0160 of tls-library-flaws is also missing-security-updates'])
  })

  test.each([
    ['burp', '1049088: SQL injection', 'sql-injection'],
    ['burp', '5245344: Frameable response (potential Clickjacking)', 'clickjacking'],
    ['burp', '2098438: Content security policy: malformed syntax', 'content-security-policy'],
    ['burp', '2098450: GraphQL introspection enabled', 'api-description-exposed'],
    ['testssl', 'BEAST_CBC_TLS1', 'tls-obsolete-versions'],
    ['zap', '40012-1', 'xss-reflected'],
    ['zap', '10038-1', 'content-security-policy'],
    ['zap', '10021', 'security-headers'],
    ['nessus', '57608', 'ntlm-relay'],
    ['nessus', '51192', 'certificate-not-trusted'],
    ['nuclei', 'deprecated-tls', 'tls-obsolete-versions'],
    ['nuclei', 'CVE-2021-44228', 'missing-security-updates'],
    ['testssl', 'SWEET32', 'tls-weak-ciphers'],
  ] as const)('match the result %s %s', (tool, ruleId, key) => {
    expect(rules.filter((rule) => rule.tool === tool && matches(rule, ruleId)).map((rule) => rule.key)).toEqual([key])
  })
})
