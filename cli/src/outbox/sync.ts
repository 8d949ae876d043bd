import type { Session } from '../account/session.ts'
import { openSession } from '../account/session.ts'
import type { Command } from '../program/command.ts'
import { describeError, EXIT, usageError } from '../program/exit.ts'
import { note, print, printJson, printTable } from '../program/terminal.ts'
import { type Entry, isUnderWay, listEntries, removeEntry } from './outbox.ts'
import { describeSent, sendEntry } from './send.ts'

/** `sortie sync`: sends what earlier commands left. */
export const sync: Command = {
  name: 'sync',
  usage: 'sync [--list [--json]] | [--drop ID]',
  summary: 'Send what is left of earlier commands, after a lost connection or a crash.',
  details:
    'What cannot be sent stays in the outbox, with exit code 8 or that of the refusal. --drop removes an entry that the server will never take, such as one of a deleted engagement.',
  options: {
    list: { type: 'boolean', about: 'show what is left, and send nothing' },
    json: { type: 'boolean', about: 'print one JSON object per line' },
    drop: { type: 'string', value: 'ID', about: 'remove an entry without sending it' },
  },
  run: async (environment, { flag, text }) => {
    const { entries, damaged } = listEntries(environment)
    for (const directory of damaged) note(`${directory} cannot be read`)
    const dropped = text('drop')
    if (dropped !== undefined) return drop(entries, dropped)
    if (flag('list')) return list(entries, flag('json'))
    const code = entries.length === 0 ? EXIT.ok : await sendAll(openSession(environment), entries)
    return damaged.length > 0 && code === EXIT.ok ? EXIT.failure : code
  },
}

const list = (entries: readonly Entry[], asJson: boolean): number => {
  for (const entry of asJson ? entries : []) {
    const { id, instance, engagementId, command, startedAt, targets } = entry.record
    printJson({ id, instance, engagementId, command, startedAt, targets: targets.length, running: isUnderWay(entry) })
  }
  if (!asJson)
    printTable(
      entries.map((entry) => [
        entry.record.id,
        entry.record.startedAt,
        isUnderWay(entry) ? 'running' : 'to be sent',
        entry.record.command,
      ]),
    )
  return EXIT.ok
}

const drop = (entries: readonly Entry[], id: string): number => {
  const entry = entries.find(({ record }) => record.id === id)
  if (!entry) throw usageError('The outbox has no entry with this id: `sortie sync --list` shows all.')
  if (isUnderWay(entry)) throw usageError('This command is still running.')
  removeEntry(entry)
  print(`Removed without sending: ${entry.record.command}`)
  return EXIT.ok
}

/** Sends what it can, and goes on after a refusal: it may concern one entry only. */
const sendAll = async (session: Session, entries: readonly Entry[]): Promise<number> => {
  let code: number = EXIT.ok
  for (const entry of entries) {
    const { command, instance } = entry.record
    if (instance !== session.address) {
      note(`kept, for ${instance}: ${command}`)
      continue
    }
    try {
      const sent = await sendEntry(session.api, entry)
      if (!sent) note(`still running: ${command}`)
      else print(`Recorded: ${command}`)
      for (const sentence of sent ? describeSent(sent) : []) print(sentence)
    } catch (error) {
      const described = describeError(error)
      note(`kept in the outbox: ${command}: ${described.message}`)
      code = described.code
      if (described.code === EXIT.unreachable || described.code === EXIT.signedOut) break
    }
  }
  return code
}
