import type { CheckedText, Problem } from './problems.ts'

/**
 * Common formats of tokens, each after its own prefix: linear, because the prefix and the characters after it do not
 * overlap.
 */
const TOKENS: readonly { prefix: string; rest: RegExp }[] = [
  { prefix: 'AKIA', rest: /^[A-Z0-9]{16}(?![A-Z0-9])/ },
  { prefix: 'ASIA', rest: /^[A-Z0-9]{16}(?![A-Z0-9])/ },
  { prefix: 'ghp_', rest: /^[A-Za-z0-9]{36}/ },
  { prefix: 'gho_', rest: /^[A-Za-z0-9]{36}/ },
  { prefix: 'ghs_', rest: /^[A-Za-z0-9]{36}/ },
  { prefix: 'github_pat_', rest: /^\w{60,}/ },
  { prefix: 'glpat-', rest: /^[\w-]{20}/ },
  { prefix: 'xoxb-', rest: /^[\w-]{20,}/ },
  { prefix: 'xoxp-', rest: /^[\w-]{20,}/ },
  { prefix: 'sk_live_', rest: /^[A-Za-z0-9]{16,}/ },
  { prefix: 'rk_live_', rest: /^[A-Za-z0-9]{16,}/ },
  { prefix: 'sk-ant-', rest: /^[\w-]{20,}/ },
  { prefix: 'AIza', rest: /^[\w-]{35}/ },
  { prefix: 'npm_', rest: /^[A-Za-z0-9]{36}/ },
  { prefix: 'SG.', rest: /^[\w-]{16,}\.[\w-]{16,}/ },
  { prefix: 'eyJ', rest: /^[\w-]{10,}\.[\w-]{10,}\.[\w-]{10,}/ },
  { prefix: '-----BEGIN ', rest: /^(?:[A-Z]{2,12} ){0,3}PRIVATE KEY-----/ },
]

/** Words before a secret. */
const NAMES = [
  'password',
  'passwort',
  'passwd',
  'pwd',
  'kennwort',
  'secret',
  'token',
  'apikey',
  'api key',
  'api_key',
  'api-key',
  'bearer',
]
/** What shows that a secret was taken out. */
const HIDDEN = /^(?:[•*xX.…_#-]+|<.*|\{.*|\[.*)$/
const MIN_SECRET = 8
/** Bits for each character: words of a language stay below, random characters are above. */
const MIN_ENTROPY = 3
/** Characters after a name in which its value begins. */
const NEAR = 24

/** Private keys, tokens, and random characters next to words such as "password". */
const anySecretIn = (text: string): string[] => [...tokensIn(text), ...namedSecretsIn(text)]

/** The secrets of texts, each once. The quote reveals four characters. */
export const secretsIn = (texts: readonly CheckedText[], find: (text: string) => string[] = anySecretIn): Problem[] =>
  texts.flatMap(({ text, place }) =>
    [...new Set(find(text))].map((secret) => ({
      code: 'secret_in_text' as const,
      message: 'The text seems to contain a secret: mask it, or waive the problem.',
      where: { ...place, quote: secret.slice(0, 4) },
    })),
  )

/** Private keys and tokens of a known format. */
export const tokensIn = (text: string): string[] => {
  const found: string[] = []
  for (const { prefix, rest } of TOKENS) {
    for (let at = text.indexOf(prefix); at >= 0; at = text.indexOf(prefix, at + 1)) {
      if (/\w/.test(text[at - 1] ?? '')) continue
      const [matched] = rest.exec(text.slice(at + prefix.length, at + prefix.length + 300)) ?? []
      if (matched !== undefined) found.push(prefix + matched)
    }
  }
  return found
}

const namedSecretsIn = (text: string): string[] => {
  const lower = text.toLowerCase()
  const found: string[] = []
  for (const name of NAMES) {
    for (let at = lower.indexOf(name); at >= 0; at = lower.indexOf(name, at + 1)) {
      const value = valueAfter(text.slice(at + name.length, at + name.length + 200))
      if (value !== undefined) found.push(value)
    }
  }
  return found
}

/** The value after a name: `: value`, `=value`, `is "value"`. */
const valueAfter = (text: string): string | undefined => {
  const start = /^[\s"'`*]{0,3}(?:[:=]|\bis\b|\bist\b|\blautet\b|\s)[\s"'`*:=]{0,4}/.exec(text)
  if (!start || start[0].length > NEAR || start[0].includes('\n')) return undefined
  const [value = ''] = /^[^\s"'`|<>(),;]+/.exec(text.slice(start[0].length)) ?? []
  const trimmed = value.replace(/[.*]{1,3}$/, '')
  const isAssigned = /[:=]/.test(start[0])
  if (trimmed.length < MIN_SECRET || HIDDEN.test(trimmed) || trimmed.includes('://')) return undefined
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z0-9]/].filter((kind) => kind.test(trimmed)).length
  const isRandom = entropyOf(trimmed) >= MIN_ENTROPY && kinds >= (isAssigned ? 2 : 3) && /\d/.test(trimmed)
  return isRandom ? trimmed : undefined
}

/** Shannon's entropy in bits for each character. */
const entropyOf = (text: string): number => {
  const counts = new Map<string, number>()
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1)
  return [...counts.values()].reduce((sum, count) => sum - (count / text.length) * Math.log2(count / text.length), 0)
}
