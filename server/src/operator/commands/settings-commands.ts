import path from 'node:path'
import { type Config, readConfig, VARIABLES, type VariableName } from '../../platform/config.ts'
import { ConfigurationError } from '../../platform/errors.ts'
import { probeDirectory } from '../../platform/files/directory/probe-directory.ts'
import { createStorage } from '../../platform/files/open-storage.ts'
import { describeDecisions } from '../../published/open-points.ts'
import { type Command, exactly, print, tell } from '../command-line.ts'

export const checkConfig: Command = async ({ operands }) => {
  exactly(operands, 0)
  const config = readConfig()
  const names = Object.keys(VARIABLES) as VariableName[]
  const width = Math.max(...names.map((name) => name.length))
  for (const name of names) {
    const origin = config.given.has(name) ? '' : '  (default)'
    print(`${name.padEnd(width)}  ${shown(name, config[name])}${origin}`)
  }
  await probePlaces(config)
}

/**
 * Probes like a start, and leaves nothing behind. @throws ConfigurationError with a line for each that cannot be used
 */
const probePlaces = async (config: Config): Promise<void> => {
  const { DATA_DIR, DATABASE_URL, SMTP_URL } = config
  const problems: string[] = []
  try {
    const storage = await createStorage(config)
    const trouble = await storage.probe(false)
    if (trouble !== undefined) tell(trouble)
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error
    problems.push(...error.lines)
  }
  const directories: [VariableName, string][] = []
  if (!DATABASE_URL) directories.push(['DATA_DIR', DATA_DIR])
  else if (!SMTP_URL) directories.push(['DATA_DIR', path.join(DATA_DIR, 'mail')])
  const wrong = directories.flatMap(([name, directory]) => {
    try {
      if (!probeDirectory(name, directory, false)) tell(`${name}: the disk of ${directory} is full`)
      return []
    } catch (error) {
      if (error instanceof ConfigurationError) return error.lines
      throw error
    }
  })
  problems.push(...wrong)
  if (problems.length > 0) throw new ConfigurationError(problems)
}

export const decisions: Command = async ({ operands }) => {
  exactly(operands, 0)
  print(describeDecisions(readConfig()))
}

const shown = (name: VariableName, value: Config[VariableName]): string => {
  if (value === undefined) return 'not set'
  if ('secret' in VARIABLES[name]) return '********'
  return typeof value === 'object' ? value.join(', ') : String(value)
}
