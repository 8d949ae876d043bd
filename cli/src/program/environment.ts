import os from 'node:os'
import path from 'node:path'

/** What the program reads from its surroundings. */
export interface Environment {
  variables: Readonly<Record<string, string | undefined>>
  /** For the key and the chosen engagement. */
  configDirectory: string
  /** For what is still to be sent. */
  stateDirectory: string
}

export const readEnvironment = (variables: NodeJS.ProcessEnv = process.env): Environment => ({
  variables,
  configDirectory: path.join(baseOf(variables, 'XDG_CONFIG_HOME', 'APPDATA', '.config'), 'sortie'),
  stateDirectory: path.join(baseOf(variables, 'XDG_STATE_HOME', 'LOCALAPPDATA', '.local/state'), 'sortie'),
})

/** A relative path in an XDG variable is invalid, and ignored (XDG Base Directory Specification). */
const baseOf = (variables: NodeJS.ProcessEnv, xdg: string, windows: string, fallback: string): string => {
  const chosen = variables[xdg]
  if (chosen !== undefined && path.isAbsolute(chosen)) return chosen
  const ofSystem = process.platform === 'win32' ? variables[windows] : undefined
  return ofSystem ?? path.join(variables['HOME'] ?? os.homedir(), fallback)
}
