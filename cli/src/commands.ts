import { login, logout, use, whoami } from './account/login.ts'
import { sync } from './outbox/sync.ts'
import type { Command } from './program/command.ts'
import { run } from './run/run.ts'
import { check } from './scope/check.ts'

/** In the order of the overview. */
export const COMMANDS: readonly Command[] = [login, logout, whoami, use, check, run, sync]

export const findCommand = (name: string): Command | undefined => COMMANDS.find((command) => command.name === name)
