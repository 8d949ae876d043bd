import type { ScopeAnswer } from './ask-scope.ts'
import { compileRules, evaluateText, isRefusal, outsideTestingHours, recognise, storedSubject } from './server-rules.ts'
import type { ScopeRule, Subject } from './server-rules.ts'
import type { StoredRules } from './stored-rules.ts'

type Times = Pick<StoredRules, 'startsOn' | 'endsOn' | 'testingHours'>

/** Why nothing may be sent at this time; null within the hours. Days of retests are not known here. */
export const outsideStoredHours = ({ startsOn, endsOn, testingHours }: Times, now: number): string | null =>
  outsideTestingHours({ starts_on: startsOn, ends_on: endsOn, testing_hours: testingHours }, now)

/** What the server would decide by the stored rules, and by the clock of this machine. */
export const askStored = (stored: StoredRules, values: readonly string[]): ScopeAnswer => {
  const rules = compileRules(stored.rules)
  const { status } = stored
  const outside = outsideStoredHours(stored, Date.now())
  const reason = status === 'active' ? outside : `The engagement is ${status}: nothing is sent in it.`
  return {
    checks: values.map((value) => evaluateText(rules, value)),
    engagement: { status, open: reason === null, reason, nextWindow: null },
  }
}

/**
 * Rules for single ports that may deny a part of what a program sends to a whole host.
 *
 * @param places addresses, names and networks without a port
 */
export const portRulesAmong = (stored: StoredRules, places: readonly string[]): ScopeRule[] => {
  const subjects = places.flatMap((place) => {
    const found = recognise(place)
    return isRefusal(found) ? [] : [found.subject]
  })
  return stored.rules.filter((rule) => {
    if (rule.effect === 'allow') return false
    const subject = storedSubject(rule.pattern, rule.effect)
    return subject?.port !== undefined && !subject.url && subjects.some((place) => covers(rule, subject, place))
  })
}

const covers = ({ pattern }: ScopeRule, { host }: Subject, place: Subject): boolean => {
  if (typeof host === 'string')
    return (
      typeof place.host === 'string' &&
      (pattern.startsWith('*.') ? place.host.endsWith(`.${host}`) : place.host === host)
    )
  return (
    typeof place.host !== 'string' &&
    place.host.family === host.family &&
    host.first <= place.host.last &&
    host.last >= place.host.first
  )
}
