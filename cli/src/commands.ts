import { login, logout, use, whoami } from './account/login.ts'
import { mcp } from './mcp/mcp.ts'
import { sync } from './outbox/sync.ts'
import type { Command } from './program/command.ts'
import { completionCommand } from './program/completion.ts'
import { importFiles } from './resources/import.ts'
import { RESOURCE_KINDS } from './resources/kinds.ts'
import { resourceCommand } from './resources/resource.ts'
import { run } from './run/run.ts'
import { check } from './scope/check.ts'
import { finding } from './work/finding.ts'
import { noteCommand } from './work/note.ts'
import { report } from './work/report.ts'
import { request } from './work/request.ts'
import { upload } from './work/upload.ts'
import { watch } from './work/watch.ts'

/** In the order of the overview. */
export const COMMANDS: readonly Command[] = [
  login,
  logout,
  whoami,
  use,
  check,
  run,
  sync,
  importFiles,
  upload,
  noteCommand,
  finding,
  request,
  report,
  watch,
  ...RESOURCE_KINDS.map(resourceCommand),
  mcp,
  completionCommand(() => COMMANDS),
]

export const findCommand = (name: string): Command | undefined => COMMANDS.find((command) => command.name === name)
