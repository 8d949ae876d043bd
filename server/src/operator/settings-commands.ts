import { readConfig, VARIABLES, type VariableName } from '../platform/config.ts'
import { describeDecisions } from '../published/open-points.ts'
import { type Command, exactly, print } from './command-line.ts'

export const checkConfig: Command = async ({ operands }) => {
  exactly(operands, 0)
  const config = readConfig()
  const names = Object.keys(VARIABLES) as VariableName[]
  const width = Math.max(...names.map((name) => name.length))
  for (const name of names) {
    const origin = config.given.has(name) ? '' : '  (default)'
    print(`${name.padEnd(width)}  ${shown(name, config[name])}${origin}`)
  }
}

export const decisions: Command = async ({ operands }) => {
  exactly(operands, 0)
  print(describeDecisions(readConfig()))
}

const shown = (name: VariableName, value: string | number | boolean | readonly string[] | undefined): string => {
  if (value === undefined) return 'not set'
  if ('secret' in VARIABLES[name]) return '********'
  return typeof value === 'object' ? value.join(', ') : String(value)
}
