import { VERSION } from 'virtual:contract'
import { COMMANDS, findCommand } from './commands.ts'
import { readArguments } from './program/command.ts'
import { readEnvironment } from './program/environment.ts'
import { describeError, EXIT, usageError } from './program/exit.ts'
import { helpOf, overview } from './program/help.ts'
import { note, print } from './program/terminal.ts'

const main = async ([name, ...given]: readonly string[]): Promise<number> => {
  if (name === undefined || name === '--help' || name === 'help') {
    const asked = given[0] === undefined ? undefined : findCommand(given[0])
    print(asked ? helpOf(asked) : overview(COMMANDS))
    return name === undefined ? EXIT.usage : EXIT.ok
  }
  if (name === '--version' || name === 'version') {
    print(VERSION)
    return EXIT.ok
  }
  const command = findCommand(name)
  if (!command) throw usageError(`There is no command of this name: \`sortie help\` lists all.`)
  const args = readArguments(command, given)
  if (args.flag('help')) {
    print(helpOf(command))
    return EXIT.ok
  }
  return command.run(readEnvironment(), args)
}

// The reader of a pipe may end first, as `head` does.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit(EXIT.ok)
})

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  const { code, message } = describeError(error)
  note(message)
  process.exitCode = code
}
