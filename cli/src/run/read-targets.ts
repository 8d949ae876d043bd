import { existsSync, readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import type { Tool } from './tools.ts'

/** What a command sends to, as its arguments say; or why they do not say it. */
export interface ReadTargets {
  targets: string[]
  /** What makes the arguments no full answer. */
  problems: string[]
  /** Values of options by name, in their order. */
  options: ReadonlyMap<string, readonly string[]>
}

/** Reads the targets from the arguments of a known program. */
export const readTargets = (tool: Tool, given: readonly string[]): ReadTargets => {
  const targets: string[] = []
  const problems: string[] = []
  const positionals: string[] = []
  const options = new Map<string, string[]>()
  const isList = (option: string) => tool.lists.includes(option)
  const isTarget = (option: string) => tool.targets.includes(option)
  const takesValue = (option: string) =>
    isList(option) ||
    isTarget(option) ||
    tool.withValue.includes(option) ||
    (tool.clusters && option.length === 2 && tool.clusters.includes(option.slice(1)))
  const use = (option: string, value: string | undefined) => {
    options.set(option, [...(options.get(option) ?? []), ...(value === undefined ? [] : [value])])
    if (tool.unreadable[option] !== undefined) problems.push(`${option}: ${tool.unreadable[option]}`)
    if (value === undefined) return
    if (isTarget(option)) targets.push(...value.split(','))
    if (isList(option)) readList(value, targets, problems)
  }
  const word = tool.forbiddenWord
  if (word !== undefined && given.some((argument) => argument.includes(word)))
    problems.push(`${word}: it finds further targets`)
  for (let at = 0; at < given.length; at++) {
    const argument = given[at] ?? ''
    const [option, attached] = splitOption(tool, argument, takesValue)
    if (option === undefined) {
      positionals.push(argument)
      continue
    }
    if (attached !== undefined) use(option, attached)
    else if (takesValue(option)) use(option, given[++at])
    else use(option, undefined)
  }
  if (tool.positionals === 'targets')
    for (const each of positionals.slice(tool.leading ?? 0))
      if (tool.mayBeFiles && existsSync(each)) readList(each, targets, problems)
      else targets.push(each)
  if (targets.length === 0 && problems.length === 0)
    problems.push(
      tool.readsInput ? 'it would read its targets from standard input' : 'no target is among its arguments',
    )
  return {
    targets: targets.map((target) => asUrl(tool, target)),
    problems: [...problems, ...misread(tool, targets)],
    options,
  }
}

/** The option of an argument, and its value if that is in the same argument. */
const splitOption = (
  tool: Tool,
  argument: string,
  takesValue: (option: string) => unknown,
): [option: string | undefined, attached?: string] => {
  if (!argument.startsWith('-') || argument === '-') return [undefined]
  const equals = argument.indexOf('=')
  if (equals > 0) {
    const option = argument.slice(0, equals)
    if (takesValue(option) || tool.unreadable[option] !== undefined) return [option, argument.slice(equals + 1)]
  }
  if (tool.clusters !== undefined && !argument.startsWith('--')) return splitCluster(tool, argument)
  return [argument]
}

/** `-sSo file`, `-XPOST`: letters up to the first that takes a value. */
const splitCluster = (tool: Tool, argument: string): [option: string, attached?: string] => {
  const takesValue = (letter: string) =>
    tool.clusters?.includes(letter) ||
    tool.targets.includes(`-${letter}`) ||
    tool.unreadable[`-${letter}`] !== undefined
  const letters = argument.slice(1)
  const at = [...letters].findIndex(takesValue)
  if (at < 0) return [argument]
  const rest = letters.slice(at + 1)
  return rest === '' ? [`-${letters[at]}`] : [`-${letters[at]}`, rest]
}

const readList = (file: string, targets: string[], problems: string[]): void => {
  if (file === '-' || file.startsWith('/dev/') || file.startsWith('/proc/')) {
    problems.push('its targets come from standard input')
    return
  }
  try {
    const lines = readFileSync(file, 'utf8')
      .split('\n')
      .map((line) => (line.split('#')[0] ?? '').trim())
    targets.push(...lines.flatMap((line) => line.split(/\s/)).filter((target) => target !== ''))
  } catch (error) {
    problems.push(`${file} cannot be read${error instanceof Error ? ` (${error.message})` : ''}`)
  }
}

/** Targets that the program and the server would read in different ways. */
const misread = ({ reads }: Tool, targets: readonly string[]): string[] =>
  reads === 'urls'
    ? []
    : targets
        .filter((target) => {
          const slash = target.indexOf('/')
          return slash > 0 && !target.includes('://') && isIP(target.slice(0, slash)) === 0
        })
        .map((target) => `${target} names a network by a name`)

const asUrl = ({ reads }: Tool, target: string): string =>
  reads === 'hosts' || target.includes('://') || target === '' ? target : `http://${target}`
