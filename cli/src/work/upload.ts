import { existsSync, statSync } from 'node:fs'
import path from 'node:path'
import { openSession, requireEngagement } from '../account/session.ts'
import { streamOf } from '../outbox/send.ts'
import type { Command } from '../program/command.ts'
import { describeError, EXIT, usageError } from '../program/exit.ts'
import { note, print, printJson, withoutControls } from '../program/terminal.ts'

/** `sortie upload`: adds files to the engagement, without reading them. */
export const upload: Command = {
  name: 'upload',
  usage: 'upload FILE ... [--json]',
  summary: 'Store files in the engagement.',
  details: 'Nothing is imported from them: `import` does that.',
  options: {
    json: { type: 'boolean', about: 'print one JSON object per file' },
    engagement: { type: 'string', value: 'ID', about: 'the engagement, instead of the chosen one' },
  },
  run: async (environment, { positionals, flag, text }) => {
    if (positionals.length === 0) throw usageError('Name files.')
    for (const file of positionals) {
      if (!existsSync(file) || !statSync(file).isFile()) throw usageError(`There is no file ${file}.`)
      if (statSync(file).size === 0) throw usageError(`${file} is empty.`)
    }
    const { api, ...session } = openSession(environment)
    const engagementId = requireEngagement({ api, ...session }, text('engagement'))
    let code: number = EXIT.ok
    for (const file of positionals)
      try {
        const { data } = await api.uploadFile({
          params: { engagementId },
          query: { fileName: path.basename(file) },
          body: streamOf(file),
        })
        if (flag('json')) printJson(data)
        else print(`${withoutControls(data.fileName)} is stored: ${data.id}`)
      } catch (error) {
        if (positionals.length === 1) throw error
        const described = describeError(error)
        note(`${file}: ${described.message}`)
        code = described.code
      }
    return code
  },
}
