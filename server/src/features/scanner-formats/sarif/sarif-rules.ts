import { cleanNumber } from '../../inventory/sightings/clean.ts'
import { type Fields, listOf, objectOf, textIn } from '../readers/records.ts'

/** The rules of a run: the tool's and its extensions'. */
export interface Rules {
  /** Rules of the tool itself. */
  rules: Fields[]
  extensions: Fields[]
}

/**
 * Finds the rule of a result (SARIF 2.1.0, sections 3.52 and 3.54): by index if the ids agree, because some tools
 * miscount; else by id or guid.
 */
export const ruleOf = (run: Rules, result: Fields): Fields => {
  const reference = objectOf(result['rule'])
  const rules = rulesOf(run, objectOf(reference['toolComponent']))
  const index = cleanNumber(result['ruleIndex']) ?? cleanNumber(reference['index'])
  const id = textIn(result['ruleId']) ?? textIn(reference['id'])
  const guid = textIn(reference['guid'])
  const byIndex = index === undefined ? undefined : rules[index]
  if (byIndex && agrees(byIndex, id, guid)) return byIndex
  const all = [...rules, ...run.rules, ...run.extensions.flatMap(rulesIn)]
  return (
    (id === undefined
      ? undefined
      : (all.find((rule) => rule['id'] === id) ?? all.find((rule) => continues(id, rule)))) ??
    (guid === undefined ? undefined : all.find((rule) => rule['guid'] === guid)) ??
    {}
  )
}

const rulesIn = (component: Fields): Fields[] => listOf(component['rules']).map(objectOf)

/** `CA1000/1` is a sub-rule of CA1000 (section 3.27.5). */
const continues = (id: string, rule: Fields): boolean =>
  textIn(rule['id']) !== undefined && id.startsWith(`${textIn(rule['id'])}/`)

const agrees = (rule: Fields, id: string | undefined, guid: string | undefined): boolean => {
  if (id !== undefined) return rule['id'] === id || continues(id, rule)
  return guid === undefined || rule['guid'] === undefined || rule['guid'] === guid
}

/**
 * Returns the rules of the tool, or of the extension referenced by guid, by name, or by an index that contradicts
 * neither.
 */
const rulesOf = ({ rules, extensions }: Rules, reference: Fields): Fields[] => {
  const index = cleanNumber(reference['index'])
  const [guid, name] = [textIn(reference['guid']), textIn(reference['name'])]
  const contradicts = (component: Fields) =>
    (guid !== undefined && component['guid'] !== undefined && component['guid'] !== guid) ||
    (name !== undefined && component['name'] !== undefined && component['name'] !== name)
  const byIndex = index === undefined ? undefined : extensions[index]
  if (byIndex && !contradicts(byIndex)) return rulesIn(byIndex)
  const named =
    (guid === undefined ? undefined : extensions.find((extension) => extension['guid'] === guid)) ??
    (name === undefined ? undefined : extensions.find((extension) => extension['name'] === name))
  return named ? rulesIn(named) : rules
}

/** More names of one rule than any tool has had. */
const MAX_FORMER_IDS = 20

/**
 * The ids that a result had while its rule had other ids (section 3.49.4): a tool that renames a rule still reports the
 * same result.
 */
export const formerRuleIds = (rule: Fields, ruleId: string): string[] => {
  const now = textIn(rule['id'])
  const below = now !== undefined && ruleId.startsWith(`${now}/`) ? ruleId.slice(now.length) : ''
  const former = listOf(rule['deprecatedIds']).slice(0, MAX_FORMER_IDS)
  return former
    .flatMap((id) => (textIn(id) === undefined ? [] : [`${textIn(id)}${below}`]))
    .filter((id) => id !== ruleId)
}
