import { login, logout, use, whoami } from './account/login.ts'
import type { Command } from './program/command.ts'
import { check } from './scope/check.ts'

/** In the order of the overview. */
export const COMMANDS: readonly Command[] = [login, logout, whoami, use, check]

export const findCommand = (name: string): Command | undefined => COMMANDS.find((command) => command.name === name)
