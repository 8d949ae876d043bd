import { isIP } from 'node:net'
import path from 'node:path'
import { openSession, requireEngagement, type Session } from '../account/session.ts'
import { addEntry, type Entry, keepOutput, noteChild, noteEnd, removeEntry, type RunEnd } from '../outbox/outbox.ts'
import { describeSent, sendEntry } from '../outbox/send.ts'
import type { Arguments, Command } from '../program/command.ts'
import type { Environment } from '../program/environment.ts'
import { CliError, describeError, EXIT, usageError } from '../program/exit.ts'
import { note, withoutControls } from '../program/terminal.ts'
import { withScope } from '../scope/ask-scope.ts'
import { outsideStoredHours } from '../scope/offline.ts'
import type { StoredRules } from '../scope/stored-rules.ts'
import { runChild } from './child.ts'
import { type Decision, decide, reachedOffline } from './decide.ts'
import { maskCommand, nameOf } from './mask.ts'
import { readTargets, type ReadTargets } from './read-targets.ts'
import { findTool, type Tool } from './tools.ts'

/** Characters of a reason, as the server limits them. */
const MAX_REASON_LENGTH = 500

/** `sortie run -- nmap ...`: runs a program in scope and hours, and records it. */
export const run: Command = {
  name: 'run',
  usage: 'run [OPTIONS] -- PROGRAM [ARGUMENT ...]',
  summary: 'Run a program if its targets are in scope and testing is allowed now, and record what it did.',
  details:
    'Targets are read from the arguments of known programs; for others, and where the arguments do not say them, name them with --target. The command is written to the disk before it starts, added to the operation log when it ends, and its output imported. Exit code: that of the program; 3 out of scope or hours, 7 if the engagement is not active, 8 if the server cannot be asked and the rules stored in the last 24 hours do not decide, 2 if targets are not clear. Nothing runs then.',
  options: {
    target: { type: 'string', multiple: true, value: 'TARGET', about: 'what the program sends to; may be repeated' },
    override: {
      type: 'string',
      value: 'REASON',
      about: 'run although scope, hours or the server say no; the reason is recorded',
    },
    source: {
      type: 'string',
      value: 'ADDRESS',
      about: 'the address it is sent from, if it is not that of this machine',
    },
    'no-import': { type: 'boolean', about: 'add no output file to the command, and import none' },
    later: { type: 'boolean', about: 'record at the next `sortie sync`' },
    engagement: { type: 'string', value: 'ID', about: 'the engagement, instead of the chosen one' },
  },
  run: async (environment, args) => {
    if (args.positionals.length > 0) throw usageError('The program follows after --: `sortie run -- nmap 10.0.0.5`.')
    const session = openSession(environment)
    const engagementId = requireEngagement(session, args.text('engagement'))
    const planned = plan(args)
    const overrideReason = readReason(args.text('override'))
    const sourceAddress = readSource(args.text('source'))
    const decision = await decideOrOverride(environment, session, engagementId, planned, overrideReason)
    const wantsImport = !args.flag('no-import')
    const entry = record(environment, { session, engagementId, planned, decision, sourceAddress, wantsImport })
    const end = await runRecorded(environment, entry, finalCommand(planned, decision, entry), decision.stored)
    await sendNow(session, entry, end, args.flag('later'))
    return end.exitCode
  },
}

const readSource = (address: string | undefined): string | undefined => {
  if (address !== undefined && isIP(address) === 0) throw usageError('--source is an IP address.')
  return address
}

const readReason = (reason: string | undefined): string | undefined => {
  const trimmed = reason === undefined ? undefined : withoutControls(reason).trim()
  if (trimmed === '') throw usageError('--override needs a reason, which is recorded.')
  if (trimmed !== undefined && trimmed.length > MAX_REASON_LENGTH)
    throw usageError(`The reason has at most ${MAX_REASON_LENGTH} characters.`)
  return trimmed
}

interface Plan {
  command: readonly string[]
  targets: readonly string[]
  name: string
  tool: Tool | undefined
  /** Options that were read; none of a program that is not known. */
  options: ReadTargets['options']
  left: ReadonlySet<string>
}

/** @throws CliError if the arguments do not say what is contacted */
const plan = (args: Arguments): Plan => {
  const command = args.rest
  if (command.length === 0) throw usageError('Name a program after --: `sortie run -- nmap 10.0.0.5`.')
  const given = args.texts('target')
  const found = findTool(command.slice(0, 2).map(nameOf))
  const name = found?.name ?? nameOf(command[0] ?? '')
  if (!found) {
    if (given.length === 0)
      throw usageError(`The arguments of ${name} are not known: name what it sends to with --target.`)
    return { command, targets: given, name, tool: undefined, options: new Map(), left: new Set() }
  }
  const { targets, problems, options } = readTargets(found.tool, command.slice(found.at + 1))
  if (problems.length > 0 && given.length === 0)
    throw usageError(`It is not clear what ${name} sends to: ${problems.join('; ')}. Name it with --target.`)
  const excluded = found.tool.exclude === undefined ? [] : (options.get(found.tool.exclude) ?? [])
  const left = new Set(excluded.flatMap((list) => list.split(',')))
  return { command, targets: [...new Set([...targets, ...given])], name, tool: found.tool, options, left }
}

interface Decided extends Pick<Decision, 'reached' | 'excluded'> {
  /** Why it runs although something says no. */
  overrideReason?: string
  note?: string
  /** For the testing hours, while it runs. */
  stored?: StoredRules | undefined
}

/** @throws CliError if it does not run */
const decideOrOverride = async (
  environment: Environment,
  session: Session,
  engagementId: string,
  { targets, tool, left, options }: Plan,
  reason: string | undefined,
): Promise<Decided> => {
  // An option that is given twice may count once: then the addresses are not added to it.
  const canExclude = tool?.exclude !== undefined && (options.get(tool.exclude)?.length ?? 0) <= 1
  const answer = await withScope(environment, session, engagementId, async (scope) => ({
    decision: await decide(scope, targets, { canExclude, left }),
    offline: scope.offline,
  })).catch((error: unknown) => {
    if (error instanceof CliError) throw error
    return unanswered(error, reason)
  })
  if (typeof answer === 'string') return setAside(answer, await reachedBy(targets, left), reason)
  const { stored } = answer
  const { decision, offline } = answer.decided
  for (const caution of decision.cautions) note(caution)
  const [final] = decision.refusals.filter(({ canBeOverridden }) => !canBeOverridden)
  const [first] = decision.refusals
  if (first && (final || reason === undefined)) {
    const { code } = final ?? first
    throw new CliError(
      code,
      `${decision.refusals.map((each) => each.reason).join('\nsortie: ')}\nsortie: Nothing was run.`,
    )
  }
  const { reached, excluded } = decision
  if (reached.length === 0) throw usageError('Nothing is left to run it on: every target is excluded.')
  if (first) return { ...setAside(decision.refusals.map((each) => each.reason).join(' '), reached, reason), stored }
  return { reached, excluded, stored, ...(offline && { note: `Decided offline, by the rules of ${offline.readAt}.` }) }
}

/** @returns why the server gave no answer, if that is overridden */
const unanswered = (error: unknown, reason: string | undefined): string => {
  const { code, message } = describeError(error)
  if (reason !== undefined) return message
  throw new CliError(
    code,
    `${message}\nsortie: Scope and testing hours could not be checked, so nothing was run. --override <reason> runs it all the same, and records the reason.`,
  )
}

const reachedBy = async (targets: readonly string[], left: ReadonlySet<string>) =>
  (await reachedOffline(targets)).filter(({ address }) => address === undefined || !left.has(address))

const setAside = (what: string, reached: Decision['reached'], reason: string | undefined): Decided => {
  note(`overridden (${reason}): ${what}`)
  return { reached, excluded: [], ...(reason !== undefined && { overrideReason: reason }), note: shortened(what) }
}

const shortened = (text: string): string => {
  const line = withoutControls(text).trim()
  return line.length <= MAX_REASON_LENGTH / 2 ? line : `${line.slice(0, MAX_REASON_LENGTH / 2 - 1)}…`
}

/** @throws CliError if the disk does not take it: nothing runs then */
const record = (
  environment: Environment,
  of: {
    session: Session
    engagementId: string
    planned: Plan
    decision: Decided
    sourceAddress: string | undefined
    wantsImport: boolean
  },
): Entry => {
  const { session, engagementId, planned, decision, sourceAddress, wantsImport } = of
  try {
    return addEntry(environment, (id, directory) => {
      const output = wantsImport ? outputOf(planned, id, directory) : undefined
      return {
        instance: session.address,
        engagementId,
        command: maskCommand(planned.command),
        targets: decision.reached,
        startedAt: new Date().toISOString(),
        ...(sourceAddress !== undefined && { sourceAddress }),
        ...(decision.overrideReason !== undefined && { overrideReason: decision.overrideReason }),
        ...(decision.note !== undefined && { note: decision.note }),
        ...(output && { output }),
      }
    })
  } catch (error) {
    throw new CliError(
      EXIT.failure,
      `The command cannot be recorded on this machine, so nothing was run: ${describeError(error).message}`,
    )
  }
}

/** Characters of the id in the name of a file: enough to tell the commands of an engagement apart. */
const NAME_LENGTH = 13

const outputOf = ({ tool, name, options, targets }: Plan, id: string, directory: string) => {
  if (!tool?.output) return undefined
  const { unless, from, extension } = tool.output
  const fileName = `${name}-${id.slice(0, NAME_LENGTH)}.${extension}`
  const [url] = targets
  const baseUrl = url?.startsWith('http://') || url?.startsWith('https://') ? { baseUrl: url } : {}
  const own = from.flatMap((option) => options.get(option) ?? []).find((file) => file !== '-')
  const file = path.join(directory, `output.${extension}`)
  if (own !== undefined) return { file, name: fileName, ...baseUrl, copyOf: path.resolve(own) }
  const ofAll = options.get('-oA')?.[0]
  if (ofAll !== undefined && from.includes('-oX')) return { file, name: fileName, copyOf: path.resolve(`${ofAll}.xml`) }
  if (unless.some((option) => options.has(option))) return undefined
  return tool.output.add(file).length === 0 ? undefined : { file, name: fileName, ...baseUrl }
}

/** The command with an output file of this program's own, and without the addresses that are out of scope. */
const finalCommand = ({ command, tool, options }: Plan, { excluded }: Decided, { record }: Entry): string[] => {
  const added: string[] = []
  if (tool?.output && record.output && record.output.copyOf === undefined)
    added.push(...tool.output.add(record.output.file))
  let given = [...command]
  if (excluded.length > 0 && tool?.exclude !== undefined) {
    note(`left out, since out of scope: ${excluded.join(', ')}`)
    const [own] = options.get(tool.exclude) ?? []
    const list = [...(own === undefined ? [] : [own]), ...excluded].join(',')
    const at = given.indexOf(tool.exclude)
    if (at >= 0) given = given.with(at + 1, list)
    else added.push(tool.exclude, list)
  }
  if (added.length > 0) note(`added to the command: ${maskCommand(added)}`)
  return [...given, ...added]
}

/** How often it is looked whether the testing hours have ended, in milliseconds. */
const HOURS_EVERY_MS = 1_000

/** Warns once when the testing hours end; the program goes on. @returns whether they ended, and a way to stop */
const watchHours = (stored: StoredRules | undefined) => {
  const isOutside = () => stored !== undefined && outsideStoredHours(stored, Date.now()) !== null
  // Otherwise it runs with a reason, or on the days of a retest.
  if (!stored || isOutside()) return { hasEnded: () => false, stop: () => undefined }
  let hasEnded = false
  const look = () => {
    if (hasEnded || !isOutside()) return
    hasEnded = true
    note('the testing hours have ended, and the program still runs: end it, unless this is agreed. It is marked.')
  }
  const timer = setInterval(look, HOURS_EVERY_MS)
  return { hasEnded: () => hasEnded, stop: () => clearInterval(timer) }
}

const runRecorded = async (
  environment: Environment,
  entry: Entry,
  command: readonly string[],
  stored: StoredRules | undefined,
): Promise<RunEnd> => {
  let isStarted = false
  const hours = watchHours(stored)
  try {
    const exitCode = await runChild(command, {
      variables: environment.variables,
      onStart: (pid) => {
        isStarted = true
        warnOnFailure('The process of the command', () => noteChild(entry, pid))
      },
    })
    const end: RunEnd = {
      endedAt: new Date().toISOString(),
      exitCode,
      ...(hours.hasEnded() && { outlastedHours: true }),
    }
    warnOnFailure('The end of the command', () => noteEnd(entry, end))
    warnOnFailure('The output of the command', () => keepOutput(entry))
    return end
  } catch (error) {
    // What never started has sent nothing.
    if (!isStarted) removeEntry(entry)
    throw error
  } finally {
    hours.stop()
  }
}

/** The start is on the disk, and the program runs or has run: it is still to be recorded. */
const warnOnFailure = (what: string, write: () => void): void => {
  try {
    write()
  } catch (error) {
    note(`${what} cannot be written to the disk: ${describeError(error).message}`)
  }
}

/** What fails here is sent by `sortie sync`: the exit code stays that of the program. */
const sendNow = async (session: Session, entry: Entry, end: RunEnd, isLater: boolean): Promise<void> => {
  if (isLater) return note('recorded on this machine: `sortie sync` sends it.')
  try {
    const sent = await sendEntry(session.api, entry, end)
    if (sent) note(`recorded, with ${sent.logged} ${sent.logged === 1 ? 'entry' : 'entries'} in the operation log.`)
    for (const sentence of sent ? describeSent(sent) : []) note(`${sentence}.`)
  } catch (error) {
    note(`kept in the outbox, and sent by \`sortie sync\`: ${describeError(error).message}`)
  }
}
