import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { EXIT, type ExitCode } from '../program/exit.ts'
import type { EngagementState, Scope, ScopeCheck } from '../scope/ask-scope.ts'
import { portRulesAmong } from '../scope/offline.ts'
import type { StoredRules } from '../scope/stored-rules.ts'
import { expandRange, nameIn, type Reached, toReached } from './reached.ts'

export interface Decision {
  /** Why it does not run, the strongest reason first. */
  refusals: Refusal[]
  /** What runs, but deserves a line. */
  cautions: string[]
  reached: Reached[]
  /** Addresses of an allowed network that are out of scope, for programs that can leave them out. */
  excluded: string[]
}

export interface Refusal {
  code: ExitCode
  reason: string
  /** Whether a reason given with --override sets it aside. */
  canBeOverridden: boolean
}

/** Addresses of a network that are checked one by one, so that those out of scope can be left out. */
const MAX_CHECKED_ONE_BY_ONE = 4_096

/**
 * Decides whether these targets may be contacted now. Names are resolved once they are in scope: an address that a rule
 * denies refuses its name. Without the server, what the stored rules do not clearly allow is refused.
 *
 * @param canExclude whether the program can leave out parts of a network
 * @param left addresses that the command leaves out by itself
 * @throws ApiError, ConnectionError if the server cannot be asked
 */
export const decide = async (
  scope: Scope,
  targets: readonly string[],
  { canExclude, left }: { canExclude: boolean; left: ReadonlySet<string> },
): Promise<Decision> => {
  const { checks, engagement } = await scope.ask(targets.flatMap(expandRange))
  const decision: Decision = { refusals: closedReasons(engagement), cautions: [], reached: [], excluded: [] }
  for (const check of checks) {
    const isOpenInPart = check.part?.verdict === 'out'
    const reached = check.verdict === 'invalid' ? [] : toReached(check.value)
    if (isOpenInPart && canExclude && reached.length <= MAX_CHECKED_ONE_BY_ONE) {
      const open = await leaveOut(scope, check, reached, left, decision)
      decision.reached.push(...open)
      continue
    }
    judge(check, decision)
    decision.reached.push(...reached.filter(({ address }) => address === undefined || !left.has(address)))
  }
  if (!decision.refusals.some(({ code }) => code === EXIT.outOfScope || code === EXIT.usage))
    await checkAddresses(scope, decision)
  if (scope.offline) refuseUndecided(scope.offline, decision)
  return decision
}

/** Without the server nothing is taken to be allowed that the stored rules do not decide. */
const refuseUndecided = (stored: StoredRules, { refusals, cautions, reached }: Decision): void => {
  // Addresses of a name were checked without its port.
  const places = reached
    .flatMap(({ address, host, port }) => (port === undefined ? [address, host] : host === undefined ? [] : [address]))
    .filter((place) => place !== undefined)
  const reasons = [
    ...cautions,
    ...portRulesAmong(stored, [...new Set(places)]).map(
      ({ pattern }) => `the rule for ${pattern} concerns a part of what is sent`,
    ),
  ]
  for (const reason of reasons)
    refusals.push({ code: EXIT.unreachable, reason: `Not decided offline: ${reason}`, canBeOverridden: true })
  cautions.length = 0
}

const closedReasons = (engagement: EngagementState): Refusal[] => {
  if (engagement.open) return []
  const reason = engagement.reason ?? 'Nothing may be sent in this engagement now.'
  return engagement.status === 'active'
    ? [{ code: EXIT.outOfScope, reason, canBeOverridden: true }]
    : [{ code: EXIT.conflict, reason, canBeOverridden: false }]
}

const judge = ({ value, verdict, part, reason }: ScopeCheck, { refusals, cautions }: Decision): void => {
  if (verdict === 'invalid') refusals.push({ code: EXIT.usage, reason: `${value}: ${reason}`, canBeOverridden: false })
  else if (verdict === 'out' || part?.verdict === 'out')
    refusals.push({ code: EXIT.outOfScope, reason: `${value} is out of scope: ${reason}`, canBeOverridden: true })
  else if (verdict === 'caution') cautions.push(`caution, ${value}: ${reason}`)
  else if (verdict === 'unknown') cautions.push(`${value} is covered by no rule: ${reason}`)
}

/** The addresses of a network that are not out of scope; the others are to be left out. */
const leaveOut = async (
  scope: Scope,
  network: ScopeCheck,
  reached: readonly Reached[],
  left: ReadonlySet<string>,
  decision: Decision,
): Promise<Reached[]> => {
  const addresses = reached.flatMap(({ address }) => (address === undefined || left.has(address) ? [] : [address]))
  if (addresses.length === 0) return []
  const { checks } = await scope.ask(addresses)
  const out = new Set(checks.filter(({ verdict }) => verdict === 'out').map(({ value }) => value))
  if (out.size === addresses.length) judge(network, decision)
  decision.excluded.push(...out)
  for (const check of checks) if (!out.has(check.value)) judge(check, decision)
  return addresses.filter((address) => !out.has(address)).map((address) => ({ address }))
}

/** Adds the addresses that names lead to. */
const checkAddresses = async (scope: Scope, decision: Decision): Promise<void> => {
  const names = new Map<string, string[]>()
  for (const { host } of decision.reached)
    if (host !== undefined && !names.has(host)) names.set(host, await addressesOfName(host))
  for (const [name, addresses] of scope.offline ? names : [])
    if (addresses.length === 0) decision.cautions.push(`${name} does not resolve here, so its address is not known`)
  const all = [...new Set([...names.values()].flat())]
  if (all.length > 0) {
    const { checks } = await scope.ask(all)
    const byAddress = new Map(checks.map((check) => [check.value, check]))
    for (const [name, addresses] of names)
      for (const address of addresses) judgeAddress(name, byAddress.get(address), decision)
  }
  decision.reached = decision.reached.flatMap((reached) => {
    const addresses = reached.host === undefined ? [] : (names.get(reached.host) ?? [])
    return addresses.length === 0 ? [reached] : addresses.map((address) => ({ ...reached, address }))
  })
}

/** An address without a rule of its own changes nothing about its name. */
const judgeAddress = (name: string, check: ScopeCheck | undefined, { refusals, cautions }: Decision): void => {
  if (!check || check.scopeRuleId === null) return
  const reason = `${name} leads to ${check.value}: ${check.reason}`
  if (check.verdict === 'out') refusals.push({ code: EXIT.outOfScope, reason, canBeOverridden: true })
  else if (check.verdict === 'caution') cautions.push(`caution, ${reason}`)
}

/** None if the name does not resolve here: the program may know other servers. */
export const addressesOfName = async (name: string): Promise<string[]> => {
  try {
    const found = await lookup(name, { all: true })
    return found.map(({ address }) => address).filter((address) => isIP(address) > 0)
  } catch {
    return []
  }
}

/** Without the server: the entries for the targets, as far as it can be read here. */
export const reachedOffline = async (targets: readonly string[]): Promise<Reached[]> => {
  const reached: Reached[] = []
  for (const target of targets) {
    const name = nameIn(target)
    const addresses = name === undefined ? [] : await addressesOfName(name)
    for (const each of toReached(target))
      reached.push(...(addresses.length === 0 ? [each] : addresses.map((address) => ({ ...each, address }))))
  }
  return reached
}
